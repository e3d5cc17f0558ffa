import path from 'node:path'
import { type ImportStatement, readModule, type SourceModule } from './source-module.ts'

/** An import between two files of the project. */
export interface Arrow extends ImportStatement {
  from: string
  to: string
}

export interface Project {
  modules: ReadonlyMap<string, SourceModule>
  /** Imports of files of the project. */
  arrows: readonly Arrow[]
  /** Imports of packages and Node modules: `to` is the package name, such as `kysely` or `node:fs`. */
  outside: readonly Arrow[]
  /** Imports that cannot be resolved. */
  unresolved: readonly (ImportStatement & { from: string })[]
}

export interface Violation {
  file: string
  line: number
  /** The problem and its solution. */
  message: string
}

export function isTest(file: string): boolean {
  return /\.(test|spec)\.tsx?$/.test(file)
}

/**
 * Parses every file and resolves its imports.
 * @param sources text by path; paths are relative to the root of the repository, with slashes
 */
export function readProject(sources: ReadonlyMap<string, string>): Project {
  const modules = new Map<string, SourceModule>()
  for (const [file, source] of sources) modules.set(file, readModule(file, source))
  const arrows: Arrow[] = []
  const outside: Arrow[] = []
  const unresolved: (ImportStatement & { from: string })[] = []
  for (const [from, { imports }] of modules) {
    for (const statement of imports) {
      const wanted = placeOf(from, statement.specifier)
      if (wanted === undefined) outside.push({ ...statement, from, to: packageOf(statement.specifier) })
      else if (modules.has(wanted)) arrows.push({ ...statement, from, to: wanted })
      else if (/\.[mc]?[jt]sx?$/.test(wanted)) unresolved.push({ ...statement, from })
      // The rest are style sheets, pictures and data, which import nothing.
    }
  }
  return { modules, arrows, outside, unresolved }
}

/** Returns the file of a specifier, or undefined for a package. `@benchwatch/x/y` is `packages/x/src/y.ts`. */
function placeOf(from: string, specifier: string): string | undefined {
  const bare = specifier.replace(/\?.*$/, '')
  if (bare.startsWith('.')) return path.posix.join(path.posix.dirname(from), bare)
  const own = /^@benchwatch\/([^/]+)\/(.+)$/.exec(bare)
  return own ? `packages/${own[1]}/src/${own[2]}.ts` : undefined
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
