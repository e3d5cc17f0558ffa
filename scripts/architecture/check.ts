import path from 'node:path'
import { type Arrow, isTest, type Project, type Violation } from './project.ts'
import type { ArchitectureRules, LevelRules } from './rules.ts'
import { levelOf, workspaceOf } from './rules.ts'

export interface ArchitectureReport {
  modules: number
  imports: number
  violations: readonly Violation[]
}

/** Checks the project against the rules. */
export function checkArchitecture(project: Project, rules: ArchitectureRules): ArchitectureReport {
  const violations = [
    ...checkArrows(project, rules),
    ...checkPackages(project, rules),
    ...checkPlaces(project, rules),
    ...checkCycles(project),
    ...checkFileShape(project, rules),
    ...checkEnvironment(project, rules),
    ...checkQueryBuilder(project, rules),
    ...checkScopedTables(project, rules),
    ...checkFeatureNames(project, rules),
  ]
  violations.sort((a, b) => a.file.localeCompare(b.file, 'en') || a.line - b.line)
  return { modules: project.modules.size, imports: project.arrows.length, violations }
}

/** Checks that one file per program reads the process environment, so that a bad value is found at start. */
function checkEnvironment({ modules }: Project, rules: ArchitectureRules): Violation[] {
  return [...modules.values()].flatMap(({ path: file, environmentReads }) => {
    if (isTest(file) || rules.environmentReaders.some(({ files }) => files.test(file))) return []
    return environmentReads.map((line) => ({
      file,
      line,
      message: 'reads process.env: take the value from the configuration as an argument',
    }))
  })
}

/** Checks that a feature has the same name in the contract, on the server and in the web app. */
function checkFeatureNames({ modules }: Project, { featureNames }: ArchitectureRules): Violation[] {
  const rooms = Object.entries(featureNames.rooms).map(([room, pattern]) => ({
    room,
    names: namesIn(modules.keys(), pattern),
  }))
  const contract = rooms.find(({ room }) => room === 'contract')?.names ?? new Map<string, string>()
  const violations: Violation[] = []
  for (const { room, names } of rooms) {
    for (const [name, file] of names) {
      const missing =
        room === 'contract'
          ? rooms.filter((other) => !other.names.has(name))
          : contract.has(name)
            ? []
            : [{ room: 'contract' }]
      for (const other of missing) {
        const exception = featureNames.exceptions[name]
        if (exception?.absentFrom.includes(other.room)) continue
        violations.push({
          file,
          line: 1,
          message: `belongs to the feature "${name}", which ${other.room} does not have`,
        })
      }
    }
  }
  return violations
}

/** Returns the first file of each feature by the feature's name, which is the first group of the pattern. */
function namesIn(files: Iterable<string>, pattern: RegExp): Map<string, string> {
  const names = new Map<string, string>()
  for (const file of files) {
    const name = pattern.exec(file)?.[1]
    if (name && !names.has(name)) names.set(name, file)
  }
  return names
}

/** Checks which files access the database. */
function checkQueryBuilder({ arrows, outside }: Project, { database }: ArchitectureRules): Violation[] {
  const touching = [
    ...outside.filter(({ to }) => database.packages.includes(to)),
    ...arrows.filter(({ to }) => to.startsWith(database.schema)),
  ]
  return touching
    .filter(({ from }) => !isTest(from) && !database.files.some(({ files }) => files.test(from)))
    .map(({ from, line, specifier }) => ({
      file: from,
      line,
      message: `imports ${specifier}: only *.queries.ts, *.store.ts, *.lookup.ts and db/ speak to the database`,
    }))
}

/** Checks which files name customer tables. */
function checkScopedTables({ modules }: Project, { scopedTables }: ArchitectureRules): Violation[] {
  const violations: Violation[] = []
  for (const { path: file, tableUses } of modules.values()) {
    if (isTest(file) || !file.startsWith(scopedTables.within)) continue
    for (const { table, form, line } of tableUses) {
      if (!scopedTables.tables.includes(table)) continue
      const isAllowed = scopedTables.allowed.some(
        (grant) => grant.files.test(file) && grant.tables.includes(table) && (form === 'join' || grant.form === 'from'),
      )
      if (isAllowed) continue
      violations.push({
        file,
        line,
        message:
          form === 'from'
            ? `bypasses the data scope of ${table}: start from db/scoped.ts, or name the file with its reason in architecture.rules.mjs`
            : `joins ${table}: name the file with its reason in architecture.rules.mjs, so that the scope has been considered`,
      })
    }
  }
  return violations
}

/** Checks the name, the exports and the suppressions of each file. `describeShape` only prints sizes. */
function checkFileShape({ modules, unresolved }: Project, rules: ArchitectureRules): Violation[] {
  const violations: Violation[] = []
  for (const { path: file, starExports, defaultExports, onlyReexports, suppressions } of modules.values()) {
    const complaint = complainAboutName(file, rules)
    if (complaint) violations.push({ file, line: 1, message: complaint })
    for (const line of starExports) {
      violations.push({
        file,
        line,
        message: 're-exports a whole file: import from the file that defines each name',
      })
    }
    if (onlyReexports && starExports.length === 0) {
      violations.push({
        file,
        line: 1,
        message: 'only re-exports other files: import from the files that define the names',
      })
    }
    for (const { text, line } of suppressions) {
      const problem = complainAboutSuppression(text)
      if (problem) violations.push({ file, line, message: problem })
    }
    if (!rules.defaultExportFiles.some((pattern) => pattern.test(file))) {
      for (const line of defaultExports) {
        violations.push({ file, line, message: 'has a default export: use a named export' })
      }
    }
  }
  for (const { from, line, specifier } of unresolved) {
    violations.push({ file: from, line, message: `imports ${specifier}, which does not exist` })
  }
  return violations
}

function complainAboutName(file: string, rules: ArchitectureRules): string | undefined {
  const name = path.posix.basename(file)
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*\.(ts|tsx|mjs)$/.test(name)) {
    return 'is not named in kebab-case'
  }
  const [stem = ''] = name.split('.')
  if (stem === 'index') return 'is named index: name the file after what it holds'
  const folder = path.posix.basename(path.posix.dirname(file))
  const banned = rules.bannedNames.find((word) => stem.split('-').includes(word) || folder.split('-').includes(word))
  return banned && `is named "${banned}", which says nothing: name the file after the noun it holds`
}

function complainAboutSuppression(text: string): string | undefined {
  if (text.startsWith('@ts-')) return 'switches the compiler off: fix the type'
  const reason = text.startsWith('biome-ignore') ? /: \S.{9,}/ : / -- \S.{9,}/
  return reason.test(text)
    ? undefined
    : 'switches a rule off without its reason (after ` -- `, or after the colon of biome-ignore)'
}

/**
 * Finds cycles of imports of any length. Type imports count: two files that need each other's types are as hard to
 * separate as two that need each other's code.
 */
function checkCycles({ modules, arrows }: Project): Violation[] {
  const next = new Map<string, Set<string>>()
  for (const file of modules.keys()) next.set(file, new Set())
  for (const { from, to } of arrows) next.get(from)?.add(to)
  return knots(next).map((files) => {
    const way = wayRound(files, next)
    return {
      file: way[0] ?? '',
      line: 1,
      message: `is part of an import cycle (type imports count): ${[...way, way[0]].join(' → ')}`,
    }
  })
}

/** Returns Tarjan's strongly connected components that have several members, or an arrow to themselves. */
function knots(next: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const found: string[][] = []
  const visit = (file: string): number => {
    const index = order.size
    order.set(file, index)
    let low = index
    stack.push(file)
    onStack.add(file)
    for (const target of next.get(file) ?? []) {
      const known = order.get(target)
      if (known === undefined) low = Math.min(low, visit(target))
      else if (onStack.has(target)) low = Math.min(low, known)
    }
    lowest.set(file, low)
    if (low === index) {
      const members = stack.splice(stack.indexOf(file))
      for (const member of members) onStack.delete(member)
      if (members.length > 1 || next.get(file)?.has(file)) found.push(members)
    }
    return low
  }
  for (const file of next.keys()) if (!order.has(file)) visit(file)
  return found
}

/** Returns a shortest path from a member of a component back to itself. */
function wayRound(members: readonly string[], next: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const inside = new Set(members)
  const start = [...members].sort()[0] ?? ''
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const file of queue) {
    for (const target of next.get(file) ?? []) {
      if (target === start) {
        const way = [file]
        for (let at = file; at !== start; way.unshift(at)) at = cameFrom.get(at) ?? start
        return way
      }
      if (!inside.has(target) || cameFrom.has(target)) continue
      cameFrom.set(target, file)
      queue.push(target)
    }
  }
  return [start]
}

/** Checks imports between workspaces, between levels of one workspace, and between features. */
function checkArrows({ arrows }: Project, rules: ArchitectureRules): Violation[] {
  return arrows.flatMap((arrow) => {
    const message = complain(arrow, rules)
    return message ? [{ file: arrow.from, line: arrow.line, message }] : []
  })
}

function complain(arrow: Arrow, rules: ArchitectureRules): string | undefined {
  const from = workspaceOf(arrow.from, rules)
  const to = workspaceOf(arrow.to, rules)
  if (from === undefined || to === undefined) return undefined
  if (from !== to) return complainAboutWorkspaces(arrow, { from, to, rules })
  if (isTest(arrow.to)) return `imports the test file ${arrow.to}`
  const levels = rules.levels[from]
  return levels && complainAboutLevels(arrow, levels)
}

function complainAboutWorkspaces(
  arrow: Arrow,
  { from, to, rules }: { from: string; to: string; rules: ArchitectureRules },
): string | undefined {
  const entryPoint = rules.workspaces[from]?.imports[to]
  if (!entryPoint) return `imports ${arrow.specifier}: ${from} may not import ${to}`
  if (isTest(arrow.from) || entryPoint.files.test(arrow.from)) {
    const isOpen =
      arrow.isType ||
      isTest(arrow.from) ||
      !entryPoint.atRunTime ||
      entryPoint.atRunTime.test(arrow.to) ||
      entryPoint.atRunTimeAnywhere?.test(arrow.from)
    return isOpen ? undefined : `imports ${arrow.specifier} at run time: ${entryPoint.why}`
  }
  return `imports ${arrow.specifier}: ${entryPoint.why}`
}

function complainAboutLevels(arrow: Arrow, levels: LevelRules): string | undefined {
  if (isTest(arrow.from)) return undefined
  const from = levelOf(arrow.from, levels)
  const to = levelOf(arrow.to, levels)
  if (!from || !to) return undefined
  if (from === to) return from === levels.features.level ? complainAboutFeatures(arrow, levels) : undefined
  const rule = levels.below[from]
  if (rule?.includes(to)) return undefined
  if (arrow.isType && rule?.includes(`type ${to}`)) return undefined
  return `imports ${arrow.specifier}: the level ${from} may not import the level ${to}`
}

function complainAboutFeatures(arrow: Arrow, { features }: LevelRules): string | undefined {
  const from = features.pattern.exec(arrow.from)?.[1]
  const to = features.pattern.exec(arrow.to)?.[1]
  // A file outside all feature folders belongs to all features.
  if (from === to || to === undefined) return undefined
  const through = features.arrows.find((allowed) => allowed.from === from && allowed.to === to)
  if (!through)
    return `imports ${arrow.specifier}: architecture.arrows.mjs lists no arrow from ${from ?? 'shared files'} to ${to}`
  if (features.entryPoint.test(arrow.to) || through.files?.some((file) => arrow.to.endsWith(`/${to}/${file}`)))
    return undefined
  return `imports ${arrow.specifier}: ${from} may import ${to} only through its entry point (${features.entryPointName}) or a file listed in architecture.arrows.mjs`
}

/** Checks packages that only some files may use at run time. */
function checkPackages({ outside }: Project, rules: ArchitectureRules): Violation[] {
  return outside.flatMap(({ from, to, line, isType }) => {
    const rule = rules.packages.find(({ name, within }) => name === to && within.test(from))
    if (!rule || isType || isTest(from)) return []
    return [{ file: from, line, message: `imports ${to}: ${rule.why}` }]
  })
}

/** Checks that every file is in a known place, because other files would escape all rules about places. */
function checkPlaces({ modules }: Project, rules: ArchitectureRules): Violation[] {
  const violations: Violation[] = []
  for (const file of modules.keys()) {
    const workspace = workspaceOf(file, rules)
    const levels = workspace === undefined ? undefined : rules.levels[workspace]
    if (levels && file.startsWith(levels.root) && !isTest(file) && levelOf(file, levels) === undefined) {
      violations.push({
        file,
        line: 1,
        message: `is in no level of ${workspace}: ${Object.keys(levels.below).join(', ')}`,
      })
    }
  }
  return violations
}
