import { SaxesParser } from 'saxes'

/** An element as nested pairs: its name, and its text or its children. */
export type XmlTree = [name: string, content: string | XmlTree[]]

/** Reads an XML document strictly; attributes are written into the name. */
export function xmlTree(text: string): XmlTree {
  const parser = new SaxesParser()
  const stack: { name: string; text: string; children: XmlTree[] }[] = []
  let root: XmlTree | undefined
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const shown = Object.entries(attributes).map(([key, value]) => ` ${key}=${value}`)
    stack.push({ name: name + shown.join(''), text: '', children: [] })
  })
  parser.on('text', (piece) => {
    const top = stack.at(-1)
    if (top) top.text += piece
  })
  parser.on('closetag', () => {
    const { name, text: content, children } = stack.pop() as (typeof stack)[number]
    const tree: XmlTree = [name, children.length > 0 ? children : content]
    const above = stack.at(-1)
    if (above) above.children.push(tree)
    else root = tree
  })
  parser.write(text).close()
  if (!root) throw new Error('There is no element.')
  return root
}

/** The children of an element, by the names on the way to it. */
export function at(tree: XmlTree, ...path: string[]): XmlTree[] {
  let [, content] = tree
  for (const name of path) {
    const found = typeof content === 'string' ? undefined : content.find(([one]) => one === name)
    if (!found) throw new Error(`There is no ${name} in ${JSON.stringify(content)}`)
    content = found[1]
  }
  return typeof content === 'string' ? [] : content
}
