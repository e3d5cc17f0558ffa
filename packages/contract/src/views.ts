import { z } from 'zod'
import { paths } from './paths.ts'
import { id, line, text } from './primitives.ts'
import { route } from './route.ts'
import { limits, viewAreas } from './vocabulary.ts'

/** Saved views: a list as somebody set it up, under a name. Wire 8. */

/**
 * What the browser needs to show the list again. It is the browser's to read: names of columns and filter categories are
 * not judged here, only their shape and size.
 */
export const viewState = z.strictObject({
  filters: z.record(z.string().max(40), z.array(text(200)).max(200)).default({}),
  keyword: text(limits.keyword).default(''),
  /** A range that moves along (`{kind: "last", days: 7}`), a fixed one (`{kind: "fixed", start, stop}`), or null for the default. */
  range: z
    .record(z.string().max(40), z.union([z.string().max(100), z.number(), z.null()]))
    .nullable()
    .default(null),
  order: z.enum(['ASC', 'DESC']).nullable().default(null),
  orderBy: z.string().max(60).nullable().default(null),
  /** Keys of the columns shown, in their order; null for the usual ones. */
  columns: z.array(z.string().max(40)).max(40).nullable().default(null),
  pageSize: z.number().int().min(1).max(100).nullable().default(null),
})
export type ViewState = z.output<typeof viewState>

export const viewInput = z.strictObject({
  area: z.enum(viewAreas),
  name: line(limits.viewName).refine((name) => name.trim() !== '', { error: 'must not be empty' }),
  /** Shown to whoever has the same data scope, staff and customers apart. */
  shared: z.boolean().default(false),
  /** Whether it is the caller's own default of this area; one at most. */
  isDefault: z.boolean().default(false),
  state: viewState,
})
export type ViewInput = z.output<typeof viewInput>

export const view = z.object({
  id,
  area: z.enum(viewAreas),
  name: z.string(),
  shared: z.boolean(),
  isDefault: z.boolean(),
  state: viewState,
  /** False for one that a colleague shares: it can be made the default, not changed. */
  isOwn: z.boolean(),
  /** Who made it. */
  ownerName: z.string(),
})
export type View = z.output<typeof view>

const access = { kind: 'signed-in' } as const

export const listViews = route({
  ...paths.listViews,
  summary: 'The caller’s views and those that colleagues with the same data scope share, by name',
  answer: z.array(view),
  errors: ['session-expired'],
  access,
})

export const createView = route({
  ...paths.createView,
  summary: 'Save a view',
  body: viewInput,
  answer: view,
  success: [201],
  errors: ['session-expired', 'view-name-taken', 'too-many-views'],
  access,
})

export const updateView = route({
  ...paths.updateView,
  summary: 'Replace a view of one’s own; of a colleague’s only isDefault may differ',
  params: z.object({ id }),
  body: viewInput,
  answer: view,
  errors: ['session-expired', 'not-found', 'not-own-view', 'view-name-taken'],
  access,
})

export const deleteView = route({
  ...paths.deleteView,
  summary: 'Delete a view of one’s own',
  params: z.object({ id }),
  success: [204],
  errors: ['session-expired', 'not-found', 'not-own-view'],
  access,
})
