// A menu beside a button: arrows go through it, Escape leaves it, and the button has the focus again.
import { element } from './element.mjs'

/** @param {readonly (readonly [label: string, act: () => void])[]} choices */
export function openMenu(button, choices) {
  const items = choices.map(([label, act]) => {
    const item = element('button', { type: 'button', role: 'menuitem', tabindex: '-1' }, label)
    item.addEventListener('click', () => {
      menu.hidePopover()
      act()
    })
    return item
  })
  const name = button.getAttribute('aria-label') ?? button.textContent
  const menu = element(
    'div',
    { role: 'menu', popover: 'auto', class: 'menu', 'aria-label': name },
    ...items,
  )
  menu.addEventListener('toggle', ({ newState }) => newState === 'closed' && menu.remove())
  menu.addEventListener('keydown', (event) => {
    const at = items.indexOf(document.activeElement)
    const last = items.length - 1
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last }[event.key]
    if (event.key === 'Tab') menu.hidePopover()
    event.stopPropagation()
    if (to === undefined) return
    event.preventDefault()
    items.at(to > last ? 0 : to).focus()
  })
  // Beside the button in the document too, so that it is read next.
  button.after(menu)
  menu.showPopover()
  place(menu, button.getBoundingClientRect())
  items[0]?.focus()
}

/** Below the button where there is room, else above; never past an edge. */
function place(menu, { top, bottom, right }) {
  const { offsetWidth: width, offsetHeight: height } = menu
  const fits = bottom + height + 8 < innerHeight
  menu.style.left = `${Math.max(8, right - width)}px`
  menu.style.top = `${Math.max(8, fits ? bottom + 4 : top - height - 4)}px`
}
