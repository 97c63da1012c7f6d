// Lists recordings that are there more than once, in whatever encoding, after a scan of a folder: node examples/find-duplicates.mjs FOLDER [DATABASE]
import { Audile } from 'audile'

const [folder, database = ':memory:'] = process.argv.slice(2)
if (!folder) {
  console.error('usage: node examples/find-duplicates.mjs FOLDER [DATABASE]')
  process.exit(2)
}
const music = await Audile.open({ database })
try {
  const scan = music.tracks.scan(folder)
  for await (const { file, error } of scan) {
    console.error(`${scan.done}/${scan.total} ${error ? `${file}: ${error.message}` : file}`)
  }
  const pathsOf = ({ files }) => files.filter(({ present }) => present).map(({ path }) => path)
  const groups = await music.tracks.duplicates()
  const found = groups.map(({ tracks }) => tracks.flatMap(pathsOf))
  // The very same bytes are one track with several files.
  const grouped = new Set(groups.flatMap(({ tracks }) => tracks.map(({ id }) => id)))
  for await (const track of music.tracks.all()) {
    if (!grouped.has(track.id)) found.push(pathsOf(track))
  }
  const copies = found.filter((paths) => paths.length > 1)
  for (const paths of copies) console.log(`the same recording:\n  ${paths.join('\n  ')}`)
  console.log(
    copies.length > 0
      ? `Recordings that are there more than once: ${copies.length}`
      : `No recording is there more than once. Files: ${scan.total}`,
  )
} finally {
  await music.close()
}
