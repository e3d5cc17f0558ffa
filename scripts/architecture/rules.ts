/** The schema of `architecture.rules.mjs`. */
export interface ArchitectureRules {
  /** Workspaces by name, with their folders and the entry points through which they import others. */
  workspaces: Record<string, Workspace>
  /** Levels by workspace. */
  levels: Record<string, LevelRules>
  packages: readonly { name: string; within: RegExp; why: string }[]
  /** Small files that stay separate from their single user, by path, each with the reason. */
  smallFiles: Readonly<Record<string, string>>
  bannedNames: readonly string[]
  defaultExportFiles: readonly RegExp[]
  environmentReaders: readonly { files: RegExp; why: string }[]
  database: {
    packages: readonly string[]
    /** Folder of the table types. */
    schema: string
    files: readonly { files: RegExp; why: string }[]
  }
  scopedTables: {
    tables: readonly string[]
    within: string
    allowed: readonly { files: RegExp; tables: readonly string[]; form: 'from' | 'join'; why: string }[]
  }
  featureNames: {
    /** Pattern of each room, whose first group is the feature name. */
    rooms: Record<string, RegExp>
    exceptions: Record<string, { absentFrom: readonly string[]; why: string }>
  }
}

export interface Workspace {
  root: string
  imports: Record<string, EntryPoint>
}

/** The files of this workspace that import another one, and the other's files that may be imported at run time. */
export interface EntryPoint {
  files: RegExp
  /** Absent: all files. */
  atRunTime?: RegExp
  /** Files of this workspace that are exempt from `atRunTime`. */
  atRunTimeAnywhere?: RegExp
  why: string
}

export interface LevelRules {
  root: string
  /** Levels that each level may import; `type x` allows only type imports of x. */
  below: Record<string, readonly string[]>
  features: {
    level: string
    pattern: RegExp
    /** Files that other features may import. */
    entryPoint: RegExp
    entryPointName: string
    arrows: readonly FeatureArrow[]
  }
}

/** `from` may import the entry point of `to` and the files listed. */
export interface FeatureArrow {
  from: string
  to: string
  files?: readonly string[]
  why: string
}

/** Returns the workspace of a file, or undefined for files at the root. */
export function workspaceOf(file: string, rules: ArchitectureRules): string | undefined {
  return Object.entries(rules.workspaces).find(([, { root }]) => file.startsWith(root))?.[0]
}

/** Returns the level of a file within its workspace, or undefined if it is in no known level. */
export function levelOf(file: string, levels: LevelRules): string | undefined {
  if (!file.startsWith(levels.root)) return undefined
  const [first = ''] = file.slice(levels.root.length).split('/')
  const name = first.replace(/\.tsx?$/, '')
  return name in levels.below ? name : undefined
}
