/** The fields of package.json that say where the repository is. */
export interface Address {
  repository: { type: 'git'; url: string }
  homepage: string
  bugs: { url: string }
  funding: string
}

/** Stands where nobody has said yet who publishes. GitHub allows no such name, so it can be nobody's. */
export const PLACEHOLDER = 'OWNER_NOT_SET'

const GITHUB = /^https:\/\/github\.com\/([\w-]+)\/([\w.-]+)$/

/**
 * All fields, from the repository's address alone.
 *
 * @param page the page of a repository on GitHub: `https://github.com/<owner>/<name>`
 */
export function addressOf(page: string): Address {
  const owner = GITHUB.exec(page)?.[1]
  if (owner === undefined) {
    throw new Error(`${page} is no page of a repository: https://github.com/<owner>/<name> is one.`)
  }
  return {
    repository: { type: 'git', url: `git+${page}.git` },
    homepage: `${page}#readme`,
    bugs: { url: `${page}/issues` },
    funding: `https://github.com/sponsors/${owner}`,
  }
}

/** The page of the repository that package.json names. */
export function pageOf({ repository }: Pick<Address, 'repository'>): string {
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '')
}

/**
 * What stands against publishing, or undefined.
 *
 * @param here `owner/name` of the repository that the workflow runs in, where one does: npm refuses
 *   provenance of another one than package.json names
 */
export function obstacle(page: string, here: string | undefined): string | undefined {
  if (page.includes(PLACEHOLDER)) {
    return 'package.json does not say where the repository is: npm run address -- https://github.com/<owner>/<name>'
  }
  if (here !== undefined && page !== `https://github.com/${here}`) {
    return `package.json names ${page}, but this is https://github.com/${here}: npm run address -- https://github.com/${here}`
  }
  return undefined
}
