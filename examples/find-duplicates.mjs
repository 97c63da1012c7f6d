// Lists recordings that a folder holds more than once, in whatever encoding: node examples/find-duplicates.mjs FOLDER [DATABASE]
import { Audile } from 'audile'

const [folder, database = ':memory:'] = process.argv.slice(2)
if (!folder) {
  console.error('usage: node examples/find-duplicates.mjs FOLDER [DATABASE]')
  process.exit(2)
}
const music = await Audile.open({ database })
try {
  const files = new Map()
  let count = 0
  const onProgress = ({ done, total, file, track, error }) => {
    count = total
    if (track) files.set(track.id, [...(files.get(track.id) ?? []), file])
    console.error(`${done}/${total} ${error ? `${file}: ${error.message}` : file}`)
  }
  for await (const { answer } of music.tracks.uploadFolder(folder, { onProgress })) {
    if (answer.status === 'error') console.error(`could not be analysed: ${answer.error}`)
  }

  const groups = []
  for (const { tracks } of await music.tracks.duplicates()) {
    groups.push(tracks.flatMap(({ id }) => files.get(id) ?? []))
    for (const { id } of tracks) files.delete(id)
  }
  // The very same bytes are one track with several files.
  groups.push(...[...files.values()].filter((same) => same.length > 1))
  for (const group of groups) console.log(`the same recording:\n  ${group.join('\n  ')}`)
  console.log(
    groups.length > 0
      ? `Recordings that are there more than once: ${groups.length}`
      : `No recording is there more than once. Files: ${count}`,
  )
} finally {
  await music.close()
}
