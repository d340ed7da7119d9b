// The table of keys.

import { byId, element } from "./dom.js";
import { KEYS, spoken } from "./keys.js";

function row([keys, , says]) {
  const names = keys.flatMap((key, place) => [
    ...(place ? [" or "] : []),
    element("kbd", { textContent: spoken(key) }),
  ]);
  return element("tr", {}, element("th", { scope: "row" }, ...names),
    element("td", { textContent: says }));
}

export function fillHelp() {
  byId("help").replaceChildren(
    ...KEYS.map(([heading, rows]) =>
      element("table", {}, element("caption", { textContent: heading }),
        element("tbody", {}, ...rows.map(row))),
    ),
  );
}
