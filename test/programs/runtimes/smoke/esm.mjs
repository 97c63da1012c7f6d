import * as audile from 'audile'
import { smoke } from './steps.cjs'

await smoke(audile, JSON.parse(process.argv[2]))
console.log('passed')
