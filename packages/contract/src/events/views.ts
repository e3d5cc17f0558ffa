import { z } from 'zod'
import { paths } from '../paths.ts'
import { givenName, id, text } from '../primitives.ts'
import { route } from '../route.ts'
import { limits, viewAreas } from '../vocabulary.ts'

/** Saved views: the settings of a list under a name. Wire 8. */

/** Maximum number of filter categories of a view, and of members of its range. */
const MAX_MEMBERS = 40
/** Maximum length of the state as JSON. Most servers would refuse an address of that length. */
const MAX_STATE = 20_000

const key = text(40)

/**
 * Settings that the browser needs to restore a list. Only the browser interprets them; the server checks shape and
 * size, but not the names of columns and filter categories.
 */
export const viewState = z
  .strictObject({
    /** Selected values by category. A quick filter is stored as the category `quick`. */
    filters: z
      .record(key, z.array(text(200)).max(200))
      .refine(hasFewMembers, { error: `has more than ${MAX_MEMBERS} members` })
      .default({}),
    /** Null if there is none; an empty keyword becomes null. */
    keyword: text(limits.keyword)
      .nullable()
      .overwrite((keyword) => (keyword === '' ? null : keyword))
      .default(null),
    /**
     * A moving range (`{kind: "last", days: 7}` up to today, `{kind: "yesterday"}`), a fixed one (`{kind: "fixed",
     * start, stop}`), or null for the default.
     */
    range: z
      .record(key, z.union([text(100), z.number(), z.null()]))
      .refine(hasFewMembers, { error: `has more than ${MAX_MEMBERS} members` })
      .nullable()
      .default(null),
    order: z.enum(['ASC', 'DESC']).nullable().default(null),
    orderBy: text(60).nullable().default(null),
    /** Keys of the visible columns in order; null for the default columns. */
    columns: z.array(key).max(40).nullable().default(null),
    pageSize: z.number().int().min(1).max(100).nullable().default(null),
  })
  .refine((state) => JSON.stringify(state).length <= MAX_STATE, {
    error: `is too large: at most ${MAX_STATE} characters. Choose fewer filter values.`,
  })
export type ViewState = z.output<typeof viewState>

export const viewInput = z.strictObject({
  area: z.enum(viewAreas),
  /** Unique among the user's views of an area, ignoring case. */
  name: givenName(limits.viewName),
  /** True if the view is visible to users with the same data scope as its owner. Staff and customers are kept apart. */
  shared: z.boolean().default(false),
  /** True if this is the caller's own default for the area; at most one is. */
  isDefault: z.boolean().default(false),
  state: viewState,
})
export type ViewInput = z.output<typeof viewInput>

/** A saved view as the caller may use it. */
export const view = z.object({
  id,
  area: z.enum(viewAreas),
  name: z.string(),
  shared: z.boolean(),
  isDefault: z.boolean(),
  state: viewState,
  /** False for a view that a colleague shares. The caller may make it the default, but not change it. */
  isOwn: z.boolean(),
  /** Name of the owner. */
  ownerName: z.string(),
})
export type View = z.output<typeof view>

const access = { kind: 'signed-in' } as const

export const listViews = route({
  ...paths.listViews,
  summary: 'The caller’s views and those shared by colleagues with the same data scope, by name',
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
  summary: 'Replace one of the caller’s views; for a colleague’s view, only isDefault may change',
  params: z.object({ id }),
  body: viewInput,
  answer: view,
  errors: ['session-expired', 'not-found', 'not-own-view', 'view-name-taken'],
  access,
})

export const deleteView = route({
  ...paths.deleteView,
  summary: 'Delete one of the caller’s views',
  params: z.object({ id }),
  success: [204],
  errors: ['session-expired', 'not-found', 'not-own-view'],
  access,
})

function hasFewMembers(record: object): boolean {
  return Object.keys(record).length <= MAX_MEMBERS
}
