import path from 'node:path'
import {
  type CallExpression,
  type Expression,
  type ObjectPattern,
  parseSync,
  type TemplateLiteral,
  Visitor,
} from 'oxc-parser'

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

/** An import as written in the file. */
interface ImportStatement {
  specifier: string
  line: number
  /** True for imports that vanish at run time: `import type`, `export type … from` or `import('…').Type`. */
  isType: boolean
}

/** A reference to a table as written: `service_event as e`. */
interface TableUse {
  table: string
  /** `from`: the table itself is read, changed or emptied. `join`: it is joined to a previous selection. */
  form: 'from' | 'join'
  line: number
}

/** The facts about one file that the architecture check uses. */
interface SourceModule {
  path: string
  lines: number
  imports: readonly ImportStatement[]
  /** Lines with `export * from`. */
  starExports: readonly number[]
  /** Lines with `export default`. */
  defaultExports: readonly number[]
  /** True if all exports come from other files. */
  onlyReexports: boolean
  /** Lines that read the process environment. */
  environmentReads: readonly number[]
  tableUses: readonly TableUse[]
  /** Comments that switch off a check. */
  suppressions: readonly { text: string; line: number }[]
}

/** Query builder methods that take a table as the first argument. */
const tableMethods: Record<string, TableUse['form']> = {
  selectFrom: 'from',
  updateTable: 'from',
  deleteFrom: 'from',
  mergeInto: 'from',
  from: 'from',
  table: 'from',
  innerJoin: 'join',
  leftJoin: 'join',
  rightJoin: 'join',
  fullJoin: 'join',
  crossJoin: 'join',
  innerJoinLateral: 'join',
  leftJoinLateral: 'join',
  using: 'join',
}

const tableInSql = /\b(from|join|update|using|truncate|table|copy)\s+(?:only\s+)?(?:public\.)?"?([a-z_][a-z0-9_]*)"?/gi

/**
 * Matches further tables of a list: `FROM a, service_event e`. A select list looks the same, but no column has a
 * table's name.
 */
const nextTableInSql = /,\s*"?([a-z_][a-z0-9_]*)"?\s+(?:as\s+)?[a-z_]/gi

/**
 * Text outside an `sql` tag counts as SQL only if it starts like a statement, because sentences contain words like
 * "from" too.
 */
const startsLikeSql = /^\s*(?:with|select|insert|update|delete|copy|truncate|merge)\b/i

const suppression = /^[\s*]*(?:@ts-(?:ignore|nocheck|expect-error)|(?:oxlint|eslint)-disable|biome-ignore)/

/** Parses one TypeScript or JavaScript file. Throws on syntax errors. */
function readModule(path: string, source: string): SourceModule {
  const { program, errors, comments } = parseSync(path, source)
  const [error] = errors
  if (error) throw new Error(`${path} cannot be parsed: ${error.message}`)
  const lineOf = createLineFinder(source)
  const imports: ImportStatement[] = []
  const starExports: number[] = []
  const defaultExports: number[] = []
  const environmentReads: number[] = []
  const tableUses: TableUse[] = []
  let ownExports = 0
  let reexports = 0

  const addImport = (specifier: string, at: number, isType: boolean) =>
    imports.push({ specifier, line: lineOf(at), isType })
  const addSql = (text: string, at: number) => {
    for (const [, keyword = '', table = ''] of text.matchAll(tableInSql)) {
      const form = /join|using/i.test(keyword) ? 'join' : 'from'
      tableUses.push({ table: table.toLowerCase(), form, line: lineOf(at) })
    }
    for (const [, table = ''] of text.matchAll(nextTableInSql)) {
      tableUses.push({ table: table.toLowerCase(), form: 'from', line: lineOf(at) })
    }
  }
  const addBuilderCall = (call: CallExpression) => {
    if (call.callee.type !== 'MemberExpression' || call.callee.property.type !== 'Identifier') return
    const form = tableMethods[call.callee.property.name]
    const [argument] = call.arguments
    if (!form || !argument || argument.type === 'SpreadElement') return
    for (const text of literalTexts(argument)) {
      tableUses.push({ table: text.trim().split(/\s+/)[0] ?? '', form, line: lineOf(call.callee.property.start) })
    }
  }
  // A tagged template is visited again as the template inside it.
  const seen = new Set<number>()

  new Visitor({
    ImportDeclaration: (node) => {
      addImport(node.source.value, node.start, node.importKind === 'type')
    },
    ExportAllDeclaration: (node) => {
      addImport(node.source.value, node.start, node.exportKind === 'type')
      starExports.push(lineOf(node.start))
      reexports += 1
    },
    ExportNamedDeclaration: (node) => {
      if (node.source) {
        addImport(node.source.value, node.start, node.exportKind === 'type')
        reexports += 1
      } else ownExports += 1
    },
    ExportDefaultDeclaration: (node) => {
      defaultExports.push(lineOf(node.start))
      ownExports += 1
    },
    ImportExpression: (node) => {
      for (const text of literalTexts(node.source)) addImport(text, node.start, false)
    },
    TSImportType: (node) => {
      addImport(node.source.value, node.start, true)
    },
    MemberExpression: (node) => {
      const { object, property } = node
      const named = property.type === 'Identifier' ? property.name : property.type === 'Literal' ? property.value : ''
      if (named === 'env' && object.type === 'Identifier' && object.name === 'process') {
        environmentReads.push(lineOf(node.start))
      }
    },
    VariableDeclarator: (node) => {
      const takesEnv = node.id.type === 'ObjectPattern' && patternNames(node.id).includes('env')
      if (takesEnv && node.init?.type === 'Identifier' && node.init.name === 'process') {
        environmentReads.push(lineOf(node.start))
      }
    },
    ImportSpecifier: (node) => {
      if (node.imported.type !== 'Identifier' || node.imported.name !== 'env') return
      if (imports.at(-1)?.specifier.replace(/^node:/, '') === 'process') environmentReads.push(lineOf(node.start))
    },
    CallExpression: addBuilderCall,
    TaggedTemplateExpression: (node) => {
      if (!isSqlTag(node.tag)) return
      seen.add(node.quasi.start)
      addSql(templateText(node.quasi), node.start)
    },
    TemplateLiteral: (node) => {
      const text = templateText(node)
      if (!seen.has(node.start) && startsLikeSql.test(text)) addSql(text, node.start)
    },
    Literal: (node) => {
      if (typeof node.value === 'string' && startsLikeSql.test(node.value)) addSql(node.value, node.start)
    },
  }).visit(program)

  return {
    path,
    lines: source.split('\n').length - (source.endsWith('\n') ? 1 : 0),
    imports,
    starExports,
    defaultExports,
    onlyReexports: reexports > 0 && ownExports === 0,
    environmentReads,
    tableUses,
    suppressions: comments
      .filter(({ value }) => suppression.test(value))
      .map(({ value, start }) => ({ text: value.trim(), line: lineOf(start) })),
  }
}

function createLineFinder(source: string) {
  const starts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset: number) => {
    const next = starts.findIndex((start) => start > offset)
    return next === -1 ? starts.length : next
  }
}

/** Matches `sql` and its forms: sql<Row>`…`; sql.raw is a call and not a tag. */
function isSqlTag(tag: Expression): boolean {
  return tag.type === 'Identifier' && tag.name === 'sql'
}

function templateText(template: TemplateLiteral): string {
  return template.quasis.map((quasi) => quasi.value.cooked ?? quasi.value.raw).join(' ? ')
}

/** Returns the texts of a literal, a template without expressions, or an array of these. */
function literalTexts(node: Expression): string[] {
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  if (node.type === 'TemplateLiteral') return [templateText(node)]
  if (node.type === 'ArrayExpression') {
    return node.elements.flatMap((element) =>
      element && element.type !== 'SpreadElement' ? literalTexts(element) : [],
    )
  }
  return []
}

function patternNames(pattern: ObjectPattern): string[] {
  return pattern.properties.flatMap((property) =>
    property.type === 'Property' && property.key.type === 'Identifier' ? [property.key.name] : [],
  )
}
