import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bundled } from './bundled.ts'
import { CONTAINED } from './contained.ts'

const HEAD = `The build of audile contains code of the packages below, each under its own licence.
`
const LINE = '-'.repeat(80)
/** Of what users fetch themselves, and the package does not hold. */
const SOUNDS = `${LINE}
YAMNet, the network that "audile model add" fetches, is no part of this package.
It is by Google, under the Apache License 2.0, from the repository
google-coral/coralmicro, commit c9f665b0a8b973d35cb9d383b3e92e9f14b4dd72. It was
trained on AudioSet: labels of the sound of ten-second pieces of public videos.
`

/** The file NOTICE: name, version and licence of each package, and the text of the licence. */
export function notice(root: string, packages: readonly Bundled[]): string {
  return [HEAD, ...packages.map((each) => `${LINE}\n${entry(root, each)}\n`), SOUNDS].join('\n')
}

/** How an entry of NOTICE begins. */
export function heading({ name, version, license }: Bundled): string {
  return `${name} ${version} (${license.replace(/^\((.*)\)$/, '$1')})`
}

function entry(root: string, each: Bundled): string {
  const files = readdirSync(join(root, each.path)).filter((file) =>
    /^(?:licen[cs]e|copying|notice)\b/i.test(file),
  )
  const texts = files.sort().map((file) =>
    readFileSync(join(root, each.path, file), 'utf8')
      .replaceAll('\r', '')
      .trim(),
  )
  if (texts.length === 0) texts.push(standardText(each))
  const { libraries } = CONTAINED[each.name] ?? {}
  return [heading(each), ...texts, ...(libraries ? [libraries] : [])].join('\n\n')
}

/** The text of a licence that the package names only. */
function standardText({ name, license, author }: Bundled): string {
  const terms = TERMS[license]
  if (!terms || author === undefined) {
    throw new Error(`${name} holds no text of its licence ${license || '(none)'}: add it here.`)
  }
  return `Copyright (c) ${author}\n\n${terms}`
}

const TERMS: Readonly<Record<string, string>> = {
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`,
  ISC: `Permission to use, copy, modify, and/or distribute this software for any
purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES
WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR
ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF
OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`,
}
