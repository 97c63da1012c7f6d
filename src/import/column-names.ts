/** A name of a column for comparison: without accents, capitals, signs and the `(s)` of a plural. */
export function plainHeader(written: string): string {
  return written
    .normalize('NFKD')
    .replace(/\((?:e?s|e?n|er|i|e|a)\)/gi, '')
    .replace(/[^\p{L}\p{N}#]/gu, '')
    .toLowerCase()
}

/** What a column holds, and the plain names that exporters give it, in the languages they speak. */
const ALIASES = {
  title:
    'track trackname tracktitle name song songname songtitle title titel liedname liedtitel songtitel ' +
    'titre nomdutitre nomdelapiste nomdumorceau morceau chanson titulo cancion nombredelacancion ' +
    'nombredelapista nomedellatraccia nomedeltraccia nomebrano titolo brano traccia nomedafaixa ' +
    'nomedamusica faixa musica nummer nummernaam latnamn lat spar sparnamn 曲名 トラック名 楽曲名 название ' +
    'трек utwor tytul nazwautworu',
  artist:
    'artist artistname artists artistnames trackartist kunstler kunstlername interpret interpreten ' +
    'artiste nomdelartiste artistes nomdesartistes nomartiste artista nombredelartista ' +
    'nombredelosartistas artistas nomeartista nomedellartista nomedegliartisti artisti nomedoartista ' +
    'artiest artiesten artiestnaam artistnamn アーティスト アーティスト名 исполнитель wykonawca',
  release:
    'album albumname albumtitle release releasename trackalbumname albumtitel nomdelalbum ' +
    'nombredelalbum nomedellalbum nomedoalbum albumnaam albumnamn アルバム アルバム名 альбом',
  date:
    'releasedate albumreleasedate albumdate trackalbumreleasedate year jahr veroffentlichungsdatum ' +
    'erscheinungsdatum datedesortie annee fechadelanzamiento ano anno datadiuscita datadipubblicazione ' +
    'datadelancamento releasedatum utgivningsdatum',
  milliseconds:
    'durationms trackdurationms dauerms dureems duracionms duratams duracaoms duurms duration_ms',
  length: 'time length duration dauer duree duracion durata duracao duur 長さ',
  isrc: 'isrc trackisrc isrccode',
  id:
    'trackuri spotifyid spotifytrackid spotifyuri spotifytrackuri trackid uri spotify songuri id ' +
    'tracklink trackurl spotifyurl url titeluri',
  popularity:
    'popularity trackpopularity pop popularitat beliebtheit popularite popularidad popolarita',
  genres: 'genres artistgenres genre trackgenre genero generos generi',
  addedAt: 'addedat',
  danceability: 'danceability dance',
  energy: 'energy',
  key: 'key',
  camelot: 'camelot',
  loudness: 'loudness loud louddb loudnessdb',
  mode: 'mode',
  speechiness: 'speechiness speech',
  acousticness: 'acousticness acoustic',
  instrumentalness: 'instrumentalness instrumental',
  liveness: 'liveness live',
  valence: 'valence happy happiness',
  tempo: 'tempo bpm',
  timeSignature: 'timesignature',
} as const

/** What a column holds. */
export type ColumnRole = keyof typeof ALIASES

const ROLES: ReadonlyMap<string, ColumnRole> = new Map(
  Object.entries(ALIASES).flatMap(([role, names]) =>
    names.split(' ').map((name): [string, ColumnRole] => [plainHeader(name), role as ColumnRole]),
  ),
)

/** The columns by what they hold; the first of a role, in the order of its names above, counts. */
export function rolesOf(columns: readonly string[]): Map<ColumnRole, string> {
  const found = new Map<ColumnRole, string>()
  for (const column of columns) {
    const role = ROLES.get(plainHeader(column))
    const earlier = role === undefined ? undefined : found.get(role)
    if (role === undefined) continue
    if (earlier === undefined || rankIn(role, column) < rankIn(role, earlier)) {
      found.set(role, column)
    }
  }
  return found
}

function rankIn(role: ColumnRole, column: string): number {
  return ALIASES[role].split(' ').map(plainHeader).indexOf(plainHeader(column))
}
