// Loaded on every page. Everything here is a convenience: each page works without it.
import { wireCopyButtons } from "../page/copy";
import { wireDialogs } from "../page/dialogs";
import { bringIntoView, focusFirstField } from "../page/focus";
import { wireDismiss, wireFilters, wireSearchKey } from "../page/lists";
import { wireMenus } from "../page/menus";
import { localiseTimes } from "../page/times";

document.documentElement.classList.add("js");
wireCopyButtons(document);
wireDialogs(document);
wireDismiss(document);
wireFilters(document);
wireMenus(document);
wireSearchKey(document);
localiseTimes(document);
focusFirstField(document);
bringIntoView(document);
