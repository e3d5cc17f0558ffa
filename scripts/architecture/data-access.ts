import { isTest, type Project, type Violation } from './project.ts'
import type { ArchitectureRules } from './rules.ts'

/** Who may speak to the database, and who may name the tables that belong to a customer. */
export function checkDataAccess(project: Project, rules: ArchitectureRules): Violation[] {
  return [...checkQueryBuilder(project, rules), ...checkScopedTables(project, rules)]
}

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
      message: `imports ${specifier}: only *.queries.ts, *.store.ts, *.lookup.ts, filters.ts and db/ speak to the database`,
    }))
}

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
            ? `takes ${table} past the data scope: start from db/scoped.ts, or name the file with its reason in architecture.rules.mjs`
            : `joins ${table}: name the file with its reason in architecture.rules.mjs, so that somebody has thought about the scope`,
      })
    }
  }
  return violations
}
