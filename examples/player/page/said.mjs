// Words to the user: what was done is read out, what went wrong is also in sight.

const $ = (id) => document.getElementById(id)

/** Says what went wrong, until it is dismissed or something works again. */
export function complain(error) {
  if (!(error instanceof Error)) throw error
  $('alert').hidden = false
  $('alert').querySelector('span').textContent = error.message
}

export function quiet() {
  $('alert').hidden = true
}

export function say(text) {
  $('said').textContent = text
}

$('alert').querySelector('button').addEventListener('click', quiet)
