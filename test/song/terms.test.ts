import { describe, expect, it } from 'vitest'
import { parseTerm } from '../../src/song/ranking.ts'
import { ParameterError } from '../../src/values/errors.ts'

describe('parseTerm', () => {
  it.each([
    ['jazz', { name: 'jazz', role: 'wish', boost: 1 }],
    ['jazz^2', { name: 'jazz', role: 'wish', boost: 2 }],
    ['jazz^0.5', { name: 'jazz', role: 'wish', boost: 0.5 }],
    ['sad^.5', { name: 'sad', role: 'wish', boost: 0.5 }],
    ['jazz^1e2', { name: 'jazz', role: 'wish', boost: 100 }],
    ['jazz ^ 2', { name: 'jazz', role: 'wish', boost: 2 }],
    ['-jazz', { name: 'jazz', role: 'prohibited', boost: 1 }],
    ['+jazz', { name: 'jazz', role: 'required', boost: 1 }],
    ['^jazz', { name: 'jazz', role: 'required', boost: 1 }],
    ['+jazz^3', { name: 'jazz', role: 'required', boost: 3 }],
    ['^jazz^3', { name: 'jazz', role: 'required', boost: 3 }],
    ['  -jazz', { name: 'jazz', role: 'prohibited', boost: 1 }],
    ['- jazz ', { name: 'jazz', role: 'prohibited', boost: 1 }],
    // Inside a term the signs are nothing but signs.
    ['alt-rock', { name: 'alt-rock', role: 'wish', boost: 1 }],
    ['-alt-rock', { name: 'alt-rock', role: 'prohibited', boost: 1 }],
    ['r+b', { name: 'r+b', role: 'wish', boost: 1 }],
    ['c^2^3', { name: 'c^2', role: 'wish', boost: 3 }],
    ['^2', { name: '2', role: 'required', boost: 1 }],
    ['80s', { name: '80s', role: 'wish', boost: 1 }],
    // One term is one parameter.
    ['jazz,rock', { name: 'jazz,rock', role: 'wish', boost: 1 }],
    // Case and white space do not count.
    ['  Smooth   JAZZ  ', { name: 'smooth jazz', role: 'wish', boost: 1 }],
    ['Ｊａｚｚ', { name: 'jazz', role: 'wish', boost: 1 }],
    ['Ünlü', { name: 'ünlü', role: 'wish', boost: 1 }],
  ] as const)('reads %j', (text, term) => {
    expect(parseTerm('style', text)).toEqual(term)
  })

  it.each(['', ' ', '-', '+', '^', '- ', '-^2', '+ ^2', '^^2'])('finds no term in %j', (text) => {
    expect(() => parseTerm('mood', text)).toThrow(ParameterError)
    expect(() => parseTerm('mood', text)).toThrow(
      `mood - Invalid parameter: ${JSON.stringify(text)} names no term`,
    )
  })

  it.each([
    'jazz^',
    'jazz^ ',
    'jazz^x',
    'jazz^2x',
    'jazz^0',
    'jazz^-1',
    'jazz^Infinity',
    'jazz^1e999',
    'jazz^NaN',
    'jazz^2,5',
    '+jazz^',
  ])('refuses the boost of %j', (text) => {
    expect(() => parseTerm('style', text)).toThrow(ParameterError)
    expect(() => parseTerm('style', text)).toThrow(
      `style - Invalid parameter: ${JSON.stringify(text)} has a boost that is no number above 0`,
    )
  })
})
