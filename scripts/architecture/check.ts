import { checkArrows } from './arrows.ts'
import { checkCycles } from './cycles.ts'
import { checkDataAccess } from './data-access.ts'
import { checkEnvironment } from './environment.ts'
import { checkFeatureNames } from './feature-names.ts'
import { checkFileShape } from './file-shape.ts'
import type { Project, Violation } from './project.ts'
import type { ArchitectureRules } from './rules.ts'

export interface ArchitectureReport {
  modules: number
  imports: number
  violations: readonly Violation[]
}

/** Holds the project against the rules. */
export function checkArchitecture(project: Project, rules: ArchitectureRules): ArchitectureReport {
  const violations = [
    ...checkArrows(project, rules),
    ...checkCycles(project),
    ...checkFileShape(project, rules),
    ...checkEnvironment(project, rules),
    ...checkDataAccess(project, rules),
    ...checkFeatureNames(project, rules),
  ]
  violations.sort((a, b) => a.file.localeCompare(b.file, 'en') || a.line - b.line)
  return { modules: project.modules.size, imports: project.arrows.length, violations }
}
