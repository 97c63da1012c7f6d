// What one does with tracks: opinions, the queue, radio; each is said aloud.
import { openMenu } from './menu.mjs'
import { addressOf } from './views.mjs'
import { stars } from './words.mjs'

const MOODS = ['happy', 'energetic', 'calm', 'sad', 'tense']

/**
 * @param {object} given
 * @param {import('./library.mjs').Library} given.library
 * @param {import('./taste.mjs').Taste} given.taste
 * @param {import('./listening.mjs').Listening} given.listening
 * @param {(id: string, title: string) => void} given.correct
 * @param {() => void} given.radioOn - a radio has begun
 * @param {(text: string) => void} given.say
 * @param {(error: Error) => void} given.failed
 */
export function actsOf({ library, taste, listening, correct, radioOn, say, failed }) {
  const titleOf = (id) => library.row(id)?.title ?? 'the track'
  const opinionOf = (id) => taste.of(id)
  const acts = {
    opinionOf,

    rate(id, rating) {
      say(`${titleOf(id)}: ${stars(rating)}`)
      taste.rate(id, rating).catch(failed)
    },

    favorite(id) {
      const now = opinionOf(id).favorite !== true
      say(`${titleOf(id)}: ${now ? 'a favourite' : 'no favourite'}`)
      taste.favorite(id, now).catch(failed)
    },

    ban(id) {
      const now = opinionOf(id).banned !== true
      say(`${titleOf(id)}: ${now ? 'banned; what plays next passes it over' : 'not banned'}`)
      taste.ban(id, now).catch(failed)
    },

    queue(id, first = false) {
      listening.queue.add(id, first)
      say(`${titleOf(id)} plays ${first ? 'next' : 'after what is in the queue'}`)
    },

    similar(id) {
      location.hash = addressOf('similar', id, titleOf(id))
    },

    correct: (id) => correct(id, titleOf(id)),

    radio: (id) => acts.tune(titleOf(id), id),

    async tune(title, seed) {
      try {
        if (seed === 'taste' && !taste.likes) {
          throw new Error('Nothing is liked yet: play, rate or favourite some tracks first.')
        }
        await listening.tune(title, seed)
        radioOn()
        say(`Radio: ${title}`)
      } catch (error) {
        failed(error)
      }
    },

    async steer(way, id) {
      try {
        await listening.steer(way, id)
        say(`${way === 'more' ? 'More' : 'Less'} like ${titleOf(id)}: what follows has changed`)
      } catch (error) {
        failed(error)
      }
    },

    menu(id, beside) {
      openMenu(beside, [
        ['Play next', () => acts.queue(id, true)],
        ['Add to the queue', () => acts.queue(id)],
        ['Start a radio', () => acts.radio(id)],
        ['Sounds alike', () => acts.similar(id)],
        ['Correct tempo or bars', () => acts.correct(id)],
        [opinionOf(id).banned ? 'No longer banned' : 'Ban', () => acts.ban(id)],
      ])
    },

    radioMenu(beside) {
      const moods = MOODS.map((mood) => [
        mood[0].toUpperCase() + mood.slice(1),
        () => acts.tune(mood, { mood }),
      ])
      openMenu(beside, [['My taste', () => acts.tune('my taste', 'taste')], ...moods])
    },
  }
  return acts
}
