/** Without accents, capitals, signs and the `(s)` of a plural. */
export function plainHeader(header: string): string {
  return header
    .normalize('NFKD')
    .replace(/\((?:e?s|e?n|er|i|e|a)\)/gi, '')
    .replace(/[^\p{L}\p{N}#]/gu, '')
    .toLowerCase()
}

/** The plain names that exporters give a column, in their languages. */
const COLUMN_ALIASES = {
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

export type ColumnRole = keyof typeof COLUMN_ALIASES

const ROLES_BY_NAME: ReadonlyMap<string, ColumnRole> = new Map(
  Object.entries(COLUMN_ALIASES).flatMap(([role, names]) =>
    names.split(' ').map((name): [string, ColumnRole] => [plainHeader(name), role as ColumnRole]),
  ),
)

/** Of several columns of a role, the one whose name stands first above counts. */
export function columnsByRole(columns: readonly string[]): Map<ColumnRole, string> {
  const columnsByRole = new Map<ColumnRole, string>()
  for (const column of columns) {
    const role = ROLES_BY_NAME.get(plainHeader(column))
    const earlierColumn = role === undefined ? undefined : columnsByRole.get(role)
    if (role === undefined) continue
    if (earlierColumn === undefined || rankIn(role, column) < rankIn(role, earlierColumn)) {
      columnsByRole.set(role, column)
    }
  }
  return columnsByRole
}

function rankIn(role: ColumnRole, column: string): number {
  return COLUMN_ALIASES[role].split(' ').map(plainHeader).indexOf(plainHeader(column))
}
