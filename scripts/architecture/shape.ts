import path from 'node:path'
import { isTest, type Project } from './project.ts'
import type { ArchitectureRules } from './rules.ts'
import { workspaceOf } from './rules.ts'

/** A file of at most this many lines with a single user usually belongs in that user's file. */
const SMALL_FILE_LINES = 60
const FULLEST_FOLDERS = 10

/**
 * Describes the size of the project: files and lines of each room without tests, the fullest folders, and small files
 * with a single user in their own folder. For information only; it causes no failure.
 * @param files every tracked file that counts towards the fullness of a folder, including tests and style sheets
 */
export function describeShape(project: Project, rules: ArchitectureRules, files: readonly string[]): string {
  return [...roomLines(project, rules), '', ...folderLines(files), '', ...smallFileLines(project, rules)].join('\n')
}

function roomLines({ modules }: Project, rules: ArchitectureRules): string[] {
  const rooms = new Map<string, { files: number; lines: number }>()
  for (const { path: file, lines } of modules.values()) {
    if (isSupport(file)) continue
    const name = workspaceOf(file, rules) ?? 'root'
    const room = rooms.get(name) ?? { files: 0, lines: 0 }
    rooms.set(name, { files: room.files + 1, lines: room.lines + lines })
  }
  const table = [...rooms].map(([name, { files, lines }]) => row(name, `${files} files`, `${lines} lines`))
  return ['Code without tests, by room', ...table]
}

function folderLines(files: readonly string[]): string[] {
  const folders = new Map<string, number>()
  for (const file of files) {
    const folder = path.posix.dirname(file)
    folders.set(folder, (folders.get(folder) ?? 0) + 1)
  }
  const fullest = [...folders].sort(([, a], [, b]) => b - a).slice(0, FULLEST_FOLDERS)
  return ['Fullest folders', ...fullest.map(([folder, count]) => row(folder, `${count} files`))]
}

function smallFileLines({ modules, arrows }: Project, { smallFiles }: ArchitectureRules): string[] {
  const users = new Map<string, Set<string>>()
  for (const { from, to } of arrows) {
    if (isSupport(from)) continue
    users.set(to, (users.get(to) ?? new Set()).add(from))
  }
  const small = [...modules.values()].flatMap(({ path: file, lines }) => {
    const [user, another] = users.get(file) ?? []
    const isOwnPart = user !== undefined && another === undefined && path.dirname(user) === path.dirname(file)
    if (!isOwnPart || lines > SMALL_FILE_LINES || isSupport(file)) return []
    return [`${row(file, `${lines} lines`)}  ${smallFiles[file] ?? `only ${path.posix.basename(user)} uses it`}`]
  })
  return [`Files of at most ${SMALL_FILE_LINES} lines with one user in their folder: ${small.length}`, ...small]
}

function isSupport(file: string): boolean {
  return isTest(file) || file.includes('/testing/')
}

function row(name: string, ...cells: readonly string[]): string {
  return `  ${name.padEnd(60)} ${cells.map((cell) => cell.padStart(12)).join('')}`
}
