/** What tests use of the package, which has no types. */
declare module '@20minutes/s3rver' {
  export default class S3rver {
    constructor(options: {
      directory: string
      silent: boolean
      address: string
      port: number
      configureBuckets: { name: string; configs: string[] }[]
    })
    httpServer: import('node:http').Server
    run(): Promise<{ port: number }>
    close(): Promise<void>
  }
}
