// A menu that opens below its button, as a `details` element.

import { useEffect, useRef } from "./html.js";

/// The reference of a menu's element. Escape and a click beside the menu close it.
export function useDropdown() {
  const menu = useRef();
  useEffect(() => {
    const close = (event) => {
      const isKey = event.key === "Escape";
      if (!menu.current?.open || !(isKey || (event.type === "pointerdown" && !menu.current.contains(event.target)))) return;
      menu.current.open = false;
      if (isKey) menu.current.querySelector("summary").focus();
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
