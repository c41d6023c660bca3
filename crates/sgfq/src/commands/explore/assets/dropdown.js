// A menu that opens below its button, as a `details` element.

import { useEffect, useRef } from "./html.js";

/** @import { Ref } from "./html.js" */

/// Closes a menu, and maybe returns the focus to its button.
/** @type {(menu: HTMLDetailsElement, hasFocus: boolean) => void} */
export function closeMenu(menu, hasFocus) {
  menu.open = false;
  if (hasFocus) menu.querySelector("summary")?.focus();
}

/// The reference of a menu's element. Escape and a click beside the menu close it.
export function useDropdown() {
  /** @type {Ref<HTMLDetailsElement>} */
  const menu = useRef();
  useEffect(() => {
    const close = (/** @type {Event} */ event) => {
      const isKey = event instanceof KeyboardEvent && event.key === "Escape";
      const isBeside = event.type === "pointerdown" && !menu.current?.contains(/** @type {Node} */ (event.target));
      if (!menu.current?.open || !(isKey || isBeside)) return;
      closeMenu(menu.current, isKey);
      event.preventDefault();
    };
    addEventListener("pointerdown", close);
    addEventListener("keydown", close, true);
    return () => {
      removeEventListener("pointerdown", close);
      removeEventListener("keydown", close, true);
    };
  }, []);
  return menu;
}
