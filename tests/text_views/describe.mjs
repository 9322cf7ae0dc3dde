// Runs a game's description of a race, as the page does, on views from standard input, and tells which facts of them do
// not change the text. Input: {module, language, messages, places, options, names, views}.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const input = JSON.parse(readFileSync(0, "utf-8"));
Object.assign(globalThis, { document: { documentElement: { lang: input.language } }, Node: class {}, Element: class {} });
const base = pathToFileURL(`${input.root}/`);
const missing = new Set();
const plural = new Intl.PluralRules(input.language);

function t(id, params = {}) {
  const found = input.messages[id];
  if (found === undefined) missing.add(id);
  const text = typeof found === "object" ? found[plural.select(Number(params.count)) === "one" ? "one" : "other"] : (found ?? id);
  return text.replace(/\{([a-z_]+)\}/g, (whole, name) => (name in params ? String(params[name]) : (missing.add(`${id} ${whole}`), whole)));
}

const host = {
  places: input.places, options: input.options, seats: input.names.length, t,
  name: (seat) => input.names[seat], faction: (seat) => seat,
};

async function describer() {
  const module = await import(new URL("description.js", base));
  if (module.describe) return (view) => module.describe(host, view);
  const { Words } = await import(new URL("words.js", base));
  const words = new Words(host);
  const description = new module.Description(words);
  return (view) => {
    words.see?.(view);
    return description.lines(view);
  };
}

/** Every fact of a view: where it is, and its value. */
function* facts(value, path = []) {
  if (value !== null && typeof value === "object") {
    for (const [key, part] of Object.entries(value)) yield* facts(part, [...path, key]);
  } else yield { path, value };
}

const pattern = (path) => path.map((key) => (/^\d+$/.test(key) ? "*" : key)).join(".");

function changed(view, path, value) {
  const copy = structuredClone(view);
  let at = copy;
  for (const key of path.slice(0, -1)) at = at[key];
  at[path.at(-1)] = value;
  return copy;
}

const describe = await describer();
const texts = input.views.map((view) => describe(view));
const lacking = [...missing];

/** Words that a fact can be, seen anywhere. */
const words = new Map();
for (const view of input.views) {
  for (const { path, value } of facts(view)) {
    if (typeof value === "string") words.set(pattern(path), (words.get(pattern(path)) ?? new Set()).add(value));
  }
}

/** For each fact: how often it was changed, and how often that changed the text. */
const told = {};
input.views.forEach((view, index) => {
  const before = texts[index].join("\n");
  for (const { path, value } of facts(view)) {
    const name = pattern(path);
    if (input.unchanged.some((each) => name === each || name.startsWith(`${each}.`))) continue;
    const other = typeof value === "number" ? value + (input.steps[name] ?? 1)
      : typeof value === "boolean" ? !value
        : typeof value === "string" ? [...words.get(name)].find((word) => word !== value) : undefined;
    if (other === undefined) continue;
    let after = null;
    try {
      after = describe(changed(view, path, other)).join("\n");
    } catch {
      // no such value: the description has used it
    }
    told[name] ??= { tried: 0, told: 0 };
    told[name].tried += 1;
    if (after !== before) told[name].told += 1;
  }
});
process.stdout.write(JSON.stringify({ texts, told, missing: lacking }));
