// @ts-check
// What the lessons of a game call by name on its page.

/**
 * A function that finds a place by its name.
 * @param {Record<string, string>} places selectors by name
 * @param {Record<string, string>} several names of attributes by kind: `card.a` is the element of the choice whose attribute of `card` is "a"
 * @returns {(name: string) => Element | null}
 */
export function placeFinder(places, several) {
  return (name) => {
    const [kind] = name.split(".", 1);
    const which = name.slice(kind.length + 1);
    const selector = places[name] ?? (several[kind] && `#choice [${several[kind]}="${CSS.escape(which)}"]`);
    return selector ? document.querySelector(selector) : null;
  };
}
