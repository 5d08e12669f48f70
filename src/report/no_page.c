/* In place of the page where the program is built without it (option report). */
#include "report/html-priv.h"

const char dae_page_script[] = "";
const char dae_page_style[] = "";
const char dae_page_font[] = "";
