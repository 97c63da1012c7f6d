const audile = require('audile')
const { smoke } = require('./steps.cjs')

smoke(audile, JSON.parse(process.argv[2])).then(() => console.log('passed'))
