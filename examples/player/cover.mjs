// The cover of a track; where there is none, a plain picture that always is the same for a track.

/** Seconds for which a browser need not ask again. */
const FRESH = 3600

export async function sendCover(response, music, id) {
  const track = await music.tracks.get(id).catch(() => undefined)
  const cover = await track?.cover()
  const { type, bytes } = cover ?? { type: 'image/svg+xml', bytes: Buffer.from(pictureOf(id)) }
  response.setHeader('cache-control', `private, max-age=${FRESH}`)
  response.writeHead(200, { 'content-type': type, 'content-length': bytes.length })
  response.end(response.req.method === 'HEAD' ? undefined : bytes)
}

/** Rings, as of a record, in a colour that follows from the id. */
function pictureOf(id) {
  const hue = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7)
  const ring = (radius, lightness) =>
    `<circle cx="50" cy="50" r="${radius}" fill="hsl(${hue} 30% ${lightness}%)"/>`
  const rings = ring(44, 34) + ring(30, 40) + ring(14, 62) + ring(4, 30)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="hsl(${hue} 28% 48%)"/>${rings}</svg>`
}
