import type { Guide } from './guides.ts'

/** The index of the site for language models, as llmstxt.org proposes it: titles, first sentences, links. */
export function llmsText(pages: readonly Guide[]): string {
  const lines = pages.map(({ page, title, text }) => {
    const paragraphs = text.replaceAll(/^```[\s\S]*?^```/gm, '').split(/\n{2,}/)
    const first = paragraphs.find((part) => /^[A-Z`[]/.test(part)) ?? ''
    const words = first.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('\n', ' ')
    const sentence = words.split(/(?<=\.) (?=[A-Z`])/)[0]
    return `- [${title}](/${page.replace(/(?:index)?\.md$/, '')}): ${sentence}`
  })
  return `# audile

> What a piece of music is: tempo, key, beats, segments, which song a recording is of, what a listener likes. A TypeScript library for one's own files, in-process and offline, over SQLite.

## Guides

${lines.join('\n')}

## Reference

- [Classes and functions](/reference/): every public name with its docstring
- [Methods and parameters](/parameters): every parameter with type, range and default
`
}
