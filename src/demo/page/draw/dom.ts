/** The page's elements. */

/** The element of this id, which the page's HTML has. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`page: expected an element with the id ${id}, got none`);
  return element as T; // the id and its kind stand together in index.html
}

/** A new element of a class, with text or children in it. */
export function make(tag: string, className: string, ...children: readonly (Node | string)[]): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

/** Writes a text where it differs: an unchanged text node costs no layout. */
export function write(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
