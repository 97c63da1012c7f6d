export type { SongRecord } from './client/songs.ts'
export { fromEchoprintDump } from './import/echoprint-dump.ts'
