/** The shape of `architecture.rules.mjs`: what may be said there. */
export interface ArchitectureRules {
  /** By name: where a workspace stands, and through which doors it imports which others. */
  workspaces: Record<string, Workspace>
  /** By workspace: its levels. */
  levels: Record<string, LevelRules>
  packages: readonly { name: string; within: RegExp; why: string }[]
  /** Small files that stay apart from their single user, by path, each with its reason. */
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
    /** By room: the pattern whose first group is the feature's name. */
    rooms: Record<string, RegExp>
    exceptions: Record<string, { absentFrom: readonly string[]; why: string }>
  }
}

export interface Workspace {
  root: string
  imports: Record<string, Door>
}

/** Through which files of this workspace another one is imported, and which of its files also at run time. */
export interface Door {
  files: RegExp
  /** Absent: all files. */
  atRunTime?: RegExp
  /** Files of this workspace for which `atRunTime` does not count. */
  atRunTimeAnywhere?: RegExp
  why: string
}

export interface LevelRules {
  root: string
  /** By level: the levels that it may import; `type x` allows only type imports of x. */
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

/** `from` may import the door of `to`, and the files that are named. */
export interface FeatureArrow {
  from: string
  to: string
  files?: readonly string[]
  why: string
}
