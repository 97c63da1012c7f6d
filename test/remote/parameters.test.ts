import { expect, it } from 'vitest'
import { METHODS_BY_NAME } from '../../src/engine/methods.ts'
import { isReadingMethod, isWaiting, refusalReason } from '../../src/remote/parameters.ts'

const NAMES = [...METHODS_BY_NAME.keys()].sort()

it('only the owner of an engine may call what reaches the folders of its machine, its keys and its upkeep', () => {
  expect(NAMES.filter((name) => refusalReason(name, {}) !== undefined)).toEqual([
    ...['feed/add', 'key/create', 'key/list', 'key/revoke'],
    ...['track/audio-files', 'track/import', 'track/missing', 'track/register-file'],
    ...['track/scan', 'track/scan-end', 'track/scan-missing', 'track/scan-next'],
    ...['track/watch', 'track/watch-end', 'track/watch-next', 'track/write-tags'],
    ...['upkeep/backup', 'upkeep/check', 'upkeep/vacuum'],
  ])
})

it('calls that may change something are not repeated', () => {
  expect(NAMES.filter((name) => !isReadingMethod(name))).toEqual([
    ...['artist/import', 'catalog/create', 'catalog/delete', 'catalog/update'],
    ...['feed/add', 'feed/refresh', 'feed/remove', 'key/create', 'key/revoke'],
    'mix/save',
    ...['song/import', 'song/merge', 'track/analyze', 'track/correct', 'track/import'],
    ...['track/missing', 'track/own-cues-remove', 'track/own-cues-set', 'track/register-file'],
    ...['track/remove', 'track/scan', 'track/scan-end', 'track/scan-missing', 'track/scan-next'],
    ...['track/upload', 'track/watch', 'track/watch-end', 'track/watch-next', 'track/write-tags'],
    ...['upkeep/backup', 'upkeep/vacuum'],
  ])
})

it('calls that wait take no place of others', () => {
  for (const name of [
    'catalog/wait',
    'feed/wait',
    'track/wait',
    'track/register-file',
    'track/write-tags',
  ])
    expect(METHODS_BY_NAME.has(name) && isWaiting(name), name).toBe(true)
  for (const name of ['track/search', 'song/search', 'catalog/read'])
    expect(isWaiting(name), name).toBe(false)
})
