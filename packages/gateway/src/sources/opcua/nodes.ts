import type { ClientSession, NodeId, ReferenceDescription } from 'node-opcua-client'

/** Node ids as text, and walks through the nodes of a server. */

/** A node of a server, as its parent refers to it. */
export interface Node {
  /** Browse name without its namespace. */
  name: string
  id: NodeId
  nodeClass: number
}

/** Nodes below one device; a larger one is cut, so that a server with millions of nodes is not read whole. */
const MOST_NODES = 20_000
export const NODES_PER_REQUEST = 200
export const NODE_CLASS_VARIABLE = 2

/**
 * Returns a node id as text. Namespaces are written as addresses, because a server may number them differently after a
 * restart.
 */
export function nodeText(id: NodeId, namespaces: readonly string[]): string {
  const text = id.toString().replace(/^ns=\d+;/, '')
  return id.namespace === 0 ? text : `nsu=${namespaces[id.namespace] ?? id.namespace};${text}`
}

/** Returns the text of a node id as the library reads it: `nsu=` replaced by the number of the namespace; null if unknown. */
export function numberedNode(text: string, namespaces: readonly string[]): string | null {
  const [, uri, rest] = /^nsu=(.+?);([isgb]=.+)$/s.exec(text) ?? []
  if (uri === undefined) return text
  const at = namespaces.indexOf(uri)
  return at < 0 ? null : `ns=${at};${rest}`
}

/** Returns the nodes directly below some nodes, in one list for each. */
export async function childrenOf(session: ClientSession, parents: readonly NodeId[]): Promise<Node[][]> {
  const lists = await referencesOf(session, parents, 'HierarchicalReferences')
  return lists.map((references) =>
    references.map(({ browseName, nodeId, nodeClass }) => ({ name: browseName.name ?? '', id: nodeId, nodeClass })),
  )
}

/** Returns the references of a type from some nodes, in one list for each. */
export async function referencesOf(
  session: ClientSession,
  nodes: readonly NodeId[],
  referenceTypeId: 'HierarchicalReferences' | 'HasCondition',
): Promise<ReferenceDescription[][]> {
  const { browseAll, BrowseDirection } = await import('node-opcua-client')
  const lists: ReferenceDescription[][] = []
  for (let at = 0; at < nodes.length; at += NODES_PER_REQUEST) {
    const results = await browseAll(
      session,
      nodes.slice(at, at + NODES_PER_REQUEST).map((nodeId) => ({
        nodeId,
        referenceTypeId,
        includeSubtypes: true,
        browseDirection: BrowseDirection.Forward,
        resultMask: 0x3f,
      })),
    )
    for (const { references } of results) lists.push(references ?? [])
  }
  return lists
}

/** Returns the node at a path of browse names; null if there is none. */
export async function nodeAt(session: ClientSession, from: NodeId, ...path: string[]): Promise<NodeId | null> {
  let at: NodeId | null = from
  for (const name of path) {
    const [children = []] = await childrenOf(session, [at])
    at = children.find((child) => child.name === name)?.id ?? null
    if (at === null) return null
  }
  return at
}

/** Returns some nodes and everything below them, each once. */
export async function nodesBelow(session: ClientSession, roots: readonly Node[]): Promise<Node[]> {
  const found = new Map(roots.map((node) => [node.id.toString(), node]))
  let level = roots.map(({ id }) => id)
  while (level.length > 0 && found.size < MOST_NODES) {
    const fresh = (await childrenOf(session, level)).flat().filter(({ id }) => !found.has(id.toString()))
    for (const node of fresh) found.set(node.id.toString(), node)
    level = fresh.map(({ id }) => id)
  }
  return [...found.values()]
}
