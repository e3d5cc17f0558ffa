import { levelOf, workspaceOf } from './places.ts'
import { type Arrow, isTest, type Project, type Violation } from './project.ts'
import type { ArchitectureRules, LevelRules } from './rules.ts'

/** Which file may import which: between workspaces, between levels of one workspace, between features. */
export function checkArrows(project: Project, rules: ArchitectureRules): Violation[] {
  return [
    ...project.arrows.flatMap((arrow) => {
      const message = complain(arrow, rules)
      return message ? [{ file: arrow.from, line: arrow.line, message }] : []
    }),
    ...checkPackages(project, rules),
    ...checkPlaces(project, rules),
  ]
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
  const door = rules.workspaces[from]?.imports[to]
  if (!door) return `imports ${arrow.specifier}: ${from} may not import ${to}`
  if (isTest(arrow.from) || door.files.test(arrow.from)) {
    const isOpen =
      arrow.isType ||
      isTest(arrow.from) ||
      !door.atRunTime ||
      door.atRunTime.test(arrow.to) ||
      door.atRunTimeAnywhere?.test(arrow.from)
    return isOpen ? undefined : `imports ${arrow.specifier} at run time: ${door.why}`
  }
  return `imports ${arrow.specifier}: ${door.why}`
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
  // A file that stands in no feature's folder belongs to all of them.
  if (from === to || to === undefined) return undefined
  const through = features.arrows.find((allowed) => allowed.from === from && allowed.to === to)
  if (!through)
    return `imports ${arrow.specifier}: no arrow from ${from ?? 'shared files'} to ${to} is named in architecture.arrows.mjs`
  if (features.door.test(arrow.to) || through.files?.some((file) => arrow.to.endsWith(`/${to}/${file}`)))
    return undefined
  return `imports ${arrow.specifier}: ${from} reaches ${to} only through its door (${features.doorName}) or a file that architecture.arrows.mjs names`
}

/** Packages that only some files may use at run time. */
function checkPackages({ outside }: Project, rules: ArchitectureRules): Violation[] {
  return outside.flatMap(({ from, to, line, isType }) => {
    const rule = rules.packages.find(({ name, within }) => name === to && within.test(from))
    if (!rule || isType || isTest(from)) return []
    return [{ file: from, line, message: `imports ${to}: ${rule.why}` }]
  })
}

/** A file that stands in no known place escapes every rule about places, so there must be none. */
function checkPlaces({ modules }: Project, rules: ArchitectureRules): Violation[] {
  const violations: Violation[] = []
  for (const file of modules.keys()) {
    const workspace = workspaceOf(file, rules)
    const levels = workspace === undefined ? undefined : rules.levels[workspace]
    if (levels && file.startsWith(levels.root) && !isTest(file) && levelOf(file, levels) === undefined) {
      violations.push({
        file,
        line: 1,
        message: `stands in no level of ${workspace}: ${Object.keys(levels.below).join(', ')}`,
      })
    }
  }
  return violations
}
