// Puts a page together: one file with its styles, scripts and data inside.
import { readFileSync } from 'node:fs'
import { html, json, markup } from './html.mjs'

/** A file beside this one, as it goes into a page. */
function own(name) {
  return markup(readFileSync(new URL(name, import.meta.url), 'utf8'))
}

/**
 * @param {{ title: string, styles: string[], style?: string, scripts: string[], data: unknown,
 *   body: unknown }} parts `styles` and `scripts` are names of files, `data` is what the scripts read
 */
export function page({ title, styles, style, scripts, data, body }) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>
${styles.map(own)}${style && markup(style)}</style>
</head>
<body>
<main>
${body}
</main>
<footer>Made by audile, on this machine.</footer>
<script type="application/json" id="data">${json(data)}</script>
${scripts.map((name) => html`<script type="module">\n${own(name)}</script>\n`)}
</body>
</html>
`
}
