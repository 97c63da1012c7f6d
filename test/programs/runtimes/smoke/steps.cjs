const assert = require('node:assert/strict')
const { join } = require('node:path')

/**
 * What the package must do everywhere: open, upload, analyse, keep a catalog, search, identify,
 * close, and find all of it again.
 *
 * @param {typeof import('audile')} audile - however it was loaded
 * @param {object} how
 * @param {'thread' | 'inline'} how.engine
 * @param {string} how.folder - takes the database
 * @param {string[]} how.files - audio of 20 seconds or more; the first is tagged "Some Song" by "The Band"
 */
async function smoke({ Audile }, { engine, folder, files }) {
  const options = { database: join(folder, 'music.db'), engine, workers: 1 }
  const music = await Audile.open(options)
  const ids = []
  for (const file of files) {
    const track = await music.tracks.upload({ file, wait: true, bucket: ['audio_summary'] })
    assert.equal(track.answer.status, 'complete', `${file}: ${track.answer.error}`)
    assert.ok(track.answer.audioSummary.tempo > 60)
    const { beats, segments } = await track.analysis()
    assert.ok(beats.length > 10 && segments.length > 10)
    ids.push(track.id)
  }
  const [song] = await music.songs.search({ artist: 'the band', title: 'some song' })
  assert.equal(song?.title, 'Some Song')
  const [heard] = await music.songs.identify({ file: files[0] })
  assert.equal(heard?.id, song.id)
  const catalog = await music.catalogs.create({ name: 'Smoke', type: 'song' })
  const named = { itemId: 'a', songName: 'Some Song', artistName: 'The Band', rating: 7 }
  const ticket = await catalog.update([{ item: named }])
  assert.equal((await ticket.done()).ticketStatus, 'complete')
  await music.close()

  const again = await Audile.open(options)
  for (const id of ids) assert.equal((await again.tracks.get(id)).answer.status, 'complete')
  const { items } = await (await again.catalogs.get({ id: catalog.id })).read()
  assert.deepEqual(
    items.map(({ songId, rating }) => ({ songId, rating })),
    [{ songId: song.id, rating: 7 }],
  )
  await again.close()
}

module.exports = { smoke }
