#include "model/si_units.h"

#include <glib.h>
#include <string.h>

/* Quantities of the International System and their coherent units, as Modelica
 * writes units. Sorted by name. */
static const struct {
  const char *type, *unit;
} table[] = {
    {"AbsoluteHumidity", "kg/m3"},
    {"AbsolutePressure", "Pa"},
    {"Acceleration", "m/s2"},
    {"Admittance", "S"},
    {"AmountOfSubstance", "mol"},
    {"Angle", "rad"},
    {"AngularAcceleration", "rad/s2"},
    {"AngularFrequency", "rad/s"},
    {"AngularMomentum", "kg.m2/s"},
    {"AngularVelocity", "rad/s"},
    {"ApparentPower", "V.A"},
    {"Area", "m2"},
    {"Breadth", "m"},
    {"Capacitance", "F"},
    {"Charge", "C"},
    {"CoefficientOfHeatTransfer", "W/(m2.K)"},
    {"Concentration", "mol/m3"},
    {"Conductance", "S"},
    {"Conductivity", "S/m"},
    {"Current", "A"},
    {"CurrentDensity", "A/m2"},
    {"Damping", "s-1"},
    {"DecayConstant", "s-1"},
    {"Density", "kg/m3"},
    {"Diameter", "m"},
    {"DiffusionCoefficient", "m2/s"},
    {"Distance", "m"},
    {"Duration", "s"},
    {"DynamicViscosity", "Pa.s"},
    {"ElectricCharge", "C"},
    {"ElectricCurrent", "A"},
    {"ElectricFieldStrength", "V/m"},
    {"ElectricPotential", "V"},
    {"Energy", "J"},
    {"EnergyFlowRate", "W"},
    {"Enthalpy", "J"},
    {"EnthalpyFlowRate", "W"},
    {"Entropy", "J/K"},
    {"Force", "N"},
    {"Frequency", "Hz"},
    {"HeatCapacity", "J/K"},
    {"HeatFlowRate", "W"},
    {"HeatFlux", "W/m2"},
    {"Height", "m"},
    {"Impedance", "Ohm"},
    {"Inductance", "H"},
    {"Inertia", "kg.m2"},
    {"InternalEnergy", "J"},
    {"KinematicViscosity", "m2/s"},
    {"KineticEnergy", "J"},
    {"Length", "m"},
    {"LinearDensity", "kg/m"},
    {"MagneticFieldStrength", "A/m"},
    {"MagneticFlux", "Wb"},
    {"MagneticFluxDensity", "T"},
    {"Mass", "kg"},
    {"MassConcentration", "kg/m3"},
    {"MassFlowRate", "kg/s"},
    {"MassFraction", "1"},
    {"MolarFlowRate", "mol/s"},
    {"MolarMass", "kg/mol"},
    {"MolarVolume", "m3/mol"},
    {"MoleFraction", "1"},
    {"MomentOfInertia", "kg.m2"},
    {"Momentum", "kg.m/s"},
    {"PartialPressure", "Pa"},
    {"Period", "s"},
    {"Permeance", "H"},
    {"Position", "m"},
    {"PotentialEnergy", "J"},
    {"Power", "W"},
    {"Pressure", "Pa"},
    {"PressureDifference", "Pa"},
    {"Radius", "m"},
    {"Reactance", "Ohm"},
    {"ReactivePower", "var"},
    {"Reluctance", "H-1"},
    {"Resistance", "Ohm"},
    {"Resistivity", "Ohm.m"},
    {"RotationalDampingConstant", "N.m.s/rad"},
    {"RotationalSpringConstant", "N.m/rad"},
    {"SpecificEnergy", "J/kg"},
    {"SpecificEnthalpy", "J/kg"},
    {"SpecificEntropy", "J/(kg.K)"},
    {"SpecificHeatCapacity", "J/(kg.K)"},
    {"SpecificInternalEnergy", "J/kg"},
    {"SpecificVolume", "m3/kg"},
    {"Stress", "Pa"},
    {"SurfaceTension", "N/m"},
    {"Temperature", "K"},
    {"TemperatureDifference", "K"},
    {"ThermalConductance", "W/K"},
    {"ThermalConductivity", "W/(m.K)"},
    {"ThermalResistance", "K/W"},
    {"ThermodynamicTemperature", "K"},
    {"Thickness", "m"},
    {"Time", "s"},
    {"Torque", "N.m"},
    {"TranslationalDampingConstant", "N.s/m"},
    {"TranslationalSpringConstant", "N/m"},
    {"Velocity", "m/s"},
    {"Voltage", "V"},
    {"Volume", "m3"},
    {"VolumeFlowRate", "m3/s"},
    {"Wavelength", "m"},
    {"Weight", "N"},
    {"Work", "J"},
};

bool
dae_si_is_type(const char *name)
{
  return g_str_has_prefix(name, "Modelica.Units.SI.") ||
         g_str_has_prefix(name, "Modelica.SIunits.");
}

const char *
dae_si_unit(const char *name)
{
  if (!dae_si_is_type(name)) {
    return NULL;
  }
  const char *type = strrchr(name, '.') + 1;
  size_t low = 0;
  size_t high = G_N_ELEMENTS(table);
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = strcmp(type, table[middle].type);
    if (order == 0) {
      return table[middle].unit;
    }
    low = order > 0 ? middle + 1 : low;
    high = order > 0 ? high : middle;
  }
  return NULL;
}
