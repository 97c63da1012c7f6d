// Saved searches: a menu of those that are kept, and a word to keep the one in the form.
import { openMenu } from './menu.mjs'
import { own } from './wire.mjs'

/**
 * @param {HTMLButtonElement} button - opens the menu
 * @param {HTMLDialogElement} dialog - asks for a name
 * @param {object} doings
 * @param {() => object | undefined} doings.asked - what the form asks
 * @param {(asked: object) => void} doings.ask - fills the form
 * @param {(text: string) => void} doings.say
 * @param {(error: Error) => void} doings.failed
 */
export function takeSaved(button, dialog, { asked, ask, say, failed }) {
  const form = dialog.querySelector('form')
  button.addEventListener('click', async () => {
    try {
      const { saved } = await own('saved')
      const choices = saved.map((one) => [one.name, () => ask(one.asked)])
      if (asked()) choices.push(['Save this search …', () => dialog.showModal()])
      for (const { name } of saved) {
        choices.push([`Remove “${name}”`, () => keep({ name }, `“${name}” is removed`)])
      }
      if (choices.length === 0) say('Search for something first, then save it here.')
      else openMenu(button, choices)
    } catch (error) {
      failed(error)
    }
  })
  form.addEventListener('submit', (event) => {
    if (event.submitter?.value === 'cancel') return
    const name = form.elements.name.value.trim()
    keep({ name, asked: asked() }, `“${name}” is saved`)
    form.reset()
  })

  function keep(what, told) {
    own('saved', what).then(() => say(told), failed)
  }
}
