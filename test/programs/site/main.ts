import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { Application, type TypeDocOptions } from 'typedoc'
import { build } from 'vitepress'
import { deadLinks } from './dead-links.ts'
import { type Guide, guides, linkedFiles } from './guides.ts'
import { llmsText } from './llms.ts'
import { parametersPage } from './parameters.ts'

/**
 * Builds the site: the demonstration as the front page, the guides, and the reference of every class and
 * parameter.
 *
 *   npm run docs [-- --base /audile/]
 */

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** What VitePress reads. It lies inside the repository, so that packages are found. */
const STAGE = join(ROOT, '.site')
const OUT = join(ROOT, 'docs')

interface Bundler {
  pageFiles(): Promise<Map<string, Uint8Array>>
}

const { values } = parseArgs({ options: { base: { type: 'string', default: '/' } } })

rmSync(STAGE, { recursive: true, force: true })
rmSync(OUT, { recursive: true, force: true })
const pages = guides(ROOT)
stageGuides(pages)
await stageReference()
await stageFrontPage()
cpSync(join(ROOT, 'test/programs/site/config.mts'), join(STAGE, '.vitepress/config.mts'))
process.env.AUDILE_SITE_BASE = values.base
await build(STAGE, { outDir: OUT, base: values.base })
write(join(OUT, 'llms.txt'), llmsText(pages))
rmSync(STAGE, { recursive: true, force: true })
const dead = deadLinks(OUT, values.base)
for (const link of dead) console.error(link)
console.log(`${OUT}: ${pages.length} guides; dead links: ${dead.length}`)
process.exitCode = dead.length === 0 ? 0 : 1

function stageGuides(pages: readonly Guide[]): void {
  for (const { page, text } of pages) write(join(STAGE, page), text)
  for (const { file, path } of linkedFiles(ROOT)) {
    const to = join(STAGE, 'public', path)
    mkdirSync(dirname(to), { recursive: true })
    cpSync(file, to)
  }
}

async function stageReference(): Promise<void> {
  const { typedocOptions } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const options: Partial<TypeDocOptions> & Record<string, unknown> = {
    ...typedocOptions,
    tsconfig: join(ROOT, 'tsconfig.json'),
    plugin: ['typedoc-plugin-markdown', 'typedoc-vitepress-theme'],
    docsRoot: STAGE,
    out: join(STAGE, 'reference'),
    readme: 'none',
    hideBreadcrumbs: true,
    logLevel: 'Warn',
  }
  const app = await Application.bootstrapWithPlugins(options as Partial<TypeDocOptions>)
  const project = await app.convert()
  if (!project) throw new Error('typedoc found faults in the source, which are printed above.')
  app.validate(project)
  await app.generateOutputs(project)
  if (app.logger.hasErrors() || app.logger.hasWarnings()) {
    throw new Error('typedoc found faults in the docstrings, which are printed above.')
  }
  write(join(STAGE, 'parameters.md'), parametersPage(ROOT))
}

async function stageFrontPage(): Promise<void> {
  const built = join(ROOT, 'examples/browser/build.mjs')
  const { pageFiles }: Bundler = await import(pathToFileURL(built).href)
  for (const [name, contents] of await pageFiles()) write(join(STAGE, 'public', name), contents)
  // Elsewhere the page stands alone; here it leads to the guides.
  const page = join(STAGE, 'public/index.html')
  write(page, readFileSync(page, 'utf8').replace('id="guides" hidden', 'id="guides"'))
}

function write(file: string, contents: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, contents)
}
