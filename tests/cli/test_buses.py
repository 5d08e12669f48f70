"""Expandable connectors (specification, section 9.1.3): tests/library/Small/Buses.mo."""

import csv

from harness import ROOT, check_exit, contains, equal, main, run, run_text

LIBRARY = str(ROOT / "tests" / "library")


def show(name):
    return check_exit(run("show", "Small.Buses." + name, "--library", LIBRARY), 0)


def last_row(name):
    result = check_exit(run("simulate", "Small.Buses." + name, "--library", LIBRARY, "--stop", "1",
                            "--intervals", "1"), 0)
    rows = list(csv.reader(result.out.splitlines()))
    return dict(zip(rows[0], [float(value) for value in rows[-1]]))


def refused(text, message):
    head = ("import Small.Buses.*; Sensor s, t; Gauge g; Empty bus, other; "
            "Small.Buses.Engine engine;")
    model = f"model M\n{head}\n{text}\nend M;\n"
    result = check_exit(run_text("show", model, "--library", LIBRARY), 3)
    contains(result.err, message)
    equal(result.err.count(": error: "), 1)
    return result


def test_signals_go_over_buses_of_all_levels():
    values = last_row("Pair")
    equal(values["display.gauge.shown"], 6.0)
    equal(values["bus.speed"], 3.0)


def test_a_connect_makes_a_bus_on_a_bus():
    values = last_row("Nested")
    equal(values["display.gauge.shown"], 6.0)
    equal(values["main.inner.speed"], 3.0)


def test_declared_members_are_there_if_they_are_used():
    text = show("Declared").out
    contains(text, 'Real bus.speed(unit = "rad/s");')
    for absent in ("load", "supply", "gear"):
        assert "bus." + absent not in text, text


def test_an_expression_uses_a_member_on_all_joined_buses():
    equal(last_row("Written")["seen"], 2.0)


def test_subscripts_make_arrays():
    values = last_row("Arrays")
    equal([values[f"bus.level[{k}]"] for k in (1, 2, 3, 4)], [1.0, 5.0, 0.0, 7.0])
    equal([values[f"other.all[{k}]"] for k in (1, 2)], [1.0, 5.0])
    equal(values["gauge.shown"], 14.0)


def test_flows_of_connectors_on_a_bus():
    values = last_row("Lights")
    equal(values["supply.source.p.i"], -5.0)
    equal(values["dark.bus.supply.i"], 0.0)
    equal(values["lamps[2].load.p.i"], 2.0)


def test_what_the_bus_of_the_model_lacks_is_an_input():
    result = check_exit(run("simulate", "Small.Buses.Display", "--library", LIBRARY, "--stop", "1",
                            "--intervals", "1", "--input", "bus.speed=4*time"), 0)
    equal(result.out.splitlines()[-1], "1,4,8,4")


def test_mistakes():
    refused("equation connect(s.y, bus.x); connect(t.y, bus.x);",
            "'s.y' and 't.y' both give this signal")
    refused("equation connect(s.y, bus.x); connect(bus, other); connect(t.y, other.x);",
            "'s.y' and 't.y' both give this signal")
    refused("equation connect(bus.x, other.x);",
            "'bus' has no member 'x', and what it is connected to is")
    refused("equation connect(bus.x.y, s.y);", "'bus' has no member 'x', and no connect makes it")
    refused("Display d; equation connect(d.bus, s.y);",
            "'d.bus' is an expandable connector and 's.y' is not")
    refused("protected Display d; Empty hidden; equation connect(d.bus, hidden);",
            "nothing gives the signal 'd.bus.speed' of the expandable connector, which 'd.gauge")
    refused("equation connect(bus.inner, bus);",
            "this connect puts the member 'inner' into itself, without end")
    refused("expandable connector F flow Real i; end F; F f; equation connect(s.y, f.x);",
            "'f.i' is a flow: an expandable connector has flows only in connectors")
    refused("Switch on = true; "
            "equation connect(s.y, bus.x); connect(on, other.x); connect(bus, other);",
            "'bus.x' and 'other.x' have different types: Real and Boolean")
    refused("Switch on = true; equation connect(on, engine.speed);",
            "'on' and 'engine.speed' have different types: Boolean and Real")
    refused("Real x = bus.nowhere;", "there is no 'nowhere' in Empty")


main(globals())
