// Speaks the old protocol, and to the player's own routes. The server adds the api_key.

/** Calls a method by GET; a list repeats its parameter. Answers what stands beside `status`. */
export async function get(method, parameters = {}, signal) {
  return envelope(await ask(`/api/v4/${method}?${encoded(parameters)}`, { signal }))
}

/** Calls a method by POST. */
export async function post(method, parameters = {}) {
  return envelope(await ask(`/api/v4/${method}`, { method: 'POST', body: encoded(parameters) }))
}

/** Asks a route of the player: by POST when there is a body. */
export async function own(path, body, signal) {
  const options = body && { method: 'POST', body: JSON.stringify(body) }
  const answer = await (await ask(`/player/${path}`, { ...options, signal })).json()
  if (answer.refused !== undefined) throw new Error(answer.refused)
  return answer
}

async function ask(address, options) {
  const response = await fetch(address, options).catch((error) => {
    if (error.name === 'AbortError') throw error
    throw new Error('The player does not answer: is it still running?')
  })
  if (response.ok) return response
  const told = await response.json().catch(() => ({}))
  const reason = told.response?.status?.message ?? told.error
  throw new Error(reason ?? `The player answered ${response.status}.`)
}

async function envelope(response) {
  const { status, ...data } = (await response.json()).response
  return data
}

/** Parameters of an address; a list repeats its parameter, `undefined` leaves it out. */
export function encoded(parameters) {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)]),
  )
  return new URLSearchParams(pairs.filter(([, value]) => value !== 'undefined'))
}
