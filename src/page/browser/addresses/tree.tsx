/* The tree of prefixes, with the position of each in the address space, and its utilisation. */

import { useState } from 'preact/hooks';
import type { components } from '../../../../sdk/typescript/schema.js';
import { get, queryOf, useGet } from '../api.js';
import { Meter, levelOf } from '../format.js';
import { Failure, Loaded, Title } from '../parts.js';
import { shortened, useArrows, useWidth } from '../room.js';
import type { Answer, Fault } from '../types.js';
import { carvedFrom, placeIn } from './space.js';

type Prefix = components['schemas']['Prefix'];

const BRANCHES = 50;
const ROW = 30;
const STEP = 20;
/** Widths of the parts of a row, from the left. The bar has the rest. */
const NAME = 300;
const SHARE = 60;
const ABOUT = 250;
/** The description is left out if the bar would be shorter than this. */
const LEAST_BAR = 250;

export function PrefixTree() {
  const top = useGet(`/api/prefixes${queryOf({ pageSize: BRANCHES, sort: 'prefix', expand: 'vrf' })}`);
  return (
    <>
      <Title text="Prefix tree" />
      <Loaded from={top}>{({ data, total }) => <Tree first={data as Prefix[]} total={total!} />}</Loaded>
    </>
  );
}

interface Node {
  prefix: Prefix;
  depth: number;
  /** Its topmost prefix. */
  root: Prefix;
  /** Its utilisation; of a container whose children are known, the share that is carved from it. From 0 to 1. */
  share: number;
  /** Undefined if it has no contents. */
  isOpen?: boolean;
  /** Row of its parent prefix. */
  under?: number;
  /** Number of prefixes within, if the row leads to a list because there are too many for the tree. */
  all?: number;
}

const addressOf = ({ prefix: { id }, all }: Node): string => `#/prefixes/${id}${all ? '?tab=children' : ''}`;
const nameOf = ({ prefix: { prefix }, all }: Node): string => (all ? `All ${all}` : prefix);
const toggleOf = ({ prefix: { prefix } }: Node): string => `Prefixes within ${prefix}`;
const aboutOf = ({ prefix, all }: Node): string => (all ? '' : (prefix.description ?? prefix.role ?? ''));
/** The VRF, which the contents of a prefix share. */
const spaceOf = ({ prefix, depth }: Node): string => (depth === 0 && prefix.vrf?.name) || '';

/** @param first prefixes, in the order of the network: all of them, or a page */
function Tree({ first, total }: { first: readonly Prefix[]; total: number }) {
  const [read, setRead] = useState<Record<string, Answer>>({});
  const [toggled, setToggled] = useState<readonly string[]>([]);
  const [error, setError] = useState<Fault>();
  const isWhole = total === first.length;
  const shown = new Set(first.map(({ id }) => id));
  const childrenOf = ({ id }: Prefix): readonly Prefix[] | undefined =>
    (read[id]?.data as Prefix[] | undefined) ?? (isWhole ? first.filter(({ parentId }) => parentId === id) : undefined);
  const nodes: Node[] = [];
  const add = (prefix: Prefix, depth: number, root: Prefix, under?: number): void => {
    const children = childrenOf(prefix);
    const isOpen = children?.length === 0 ? undefined : toggled.includes(prefix.id) !== isWhole;
    const all = read[prefix.id]?.total ?? 0;
    const isCarved = prefix.status === 'container' && children !== undefined && all <= children.length;
    const share = isCarved ? carvedFrom(prefix, children) : prefix.utilisation;
    const at = nodes.push({ prefix, depth, root, share, isOpen, under }) - 1;
    if (!isOpen || !children) return;
    for (const child of children) add(child, depth + 1, root, at);
    if (all > children.length) nodes.push({ prefix, depth: depth + 1, root, share, under: at, all });
  };
  for (const one of first) if (one.parentId === null || !shown.has(one.parentId)) add(one, 0, one);
  const toggle = async ({ id }: Prefix): Promise<void> => {
    try {
      if (!isWhole && !read[id]) {
        const answer = await get(`/api/prefixes/${id}/children?pageSize=${BRANCHES}`);
        setRead((before) => ({ ...before, [id]: answer }));
      }
      setToggled((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]));
    } catch (refused) {
      setError(refused as Fault);
    }
  };
  if (nodes.length === 0) return <p class="empty">There is no prefix yet.</p>;
  return (
    <>
      {error && <Failure error={error} />}
      <Drawing nodes={nodes} toggle={toggle} />
      <ul class="as-list card tree">
        {nodes.map((node) => (
          <li key={addressOf(node)} class="line" style={{ paddingInlineStart: `${node.depth + 2}rem` }}>
            {node.isOpen !== undefined && (
              <button
                type="button"
                class="quiet"
                aria-expanded={node.isOpen}
                aria-label={toggleOf(node)}
                onClick={() => void toggle(node.prefix)}
              >
                {node.isOpen ? '▾' : '▸'}
              </button>
            )}
            <a href={addressOf(node)}>
              <bdi>{nameOf(node)}</bdi>
            </a>
            {!node.all && <Meter value={node.share} />}
            <span class="muted">
              <bdi>{[spaceOf(node), aboutOf(node)].filter(Boolean).join(', ')}</bdi>
            </span>
          </li>
        ))}
      </ul>
      {!isWhole && (
        <p>
          <a href="#/prefixes?sort=prefix">All {total} prefixes</a>
        </p>
      )}
    </>
  );
}

function Drawing({ nodes, toggle }: { nodes: readonly Node[]; toggle: (prefix: Prefix) => Promise<void> }) {
  const { element, width } = useWidth();
  const arrows = useArrows();
  const hasAbout = width - NAME - SHARE - ABOUT >= LEAST_BAR;
  const room = width - NAME - SHARE - (hasAbout ? ABOUT : 0);
  const middle = (row: number): number => row * ROW + ROW / 2;
  return (
    <div class="drawn" ref={element}>
      <p class="about">
        Each bar shows the position of a prefix in the topmost one, and its utilisation, or what is carved from a
        container.
      </p>
      <svg {...arrows} width={width} height={nodes.length * ROW} role="group" aria-label="Prefixes">
        {nodes.map((node, row) => {
          const { prefix, depth, root, share: taken, isOpen, under, all } = node;
          const left = depth * STEP;
          const { start, share } = placeIn(root, prefix);
          const bar = { x: NAME + start * room, y: row * ROW + 7, height: ROW - 14, rx: 3 };
          const barWidth = Math.max(3, share * room);
          const used = Math.round(100 * taken);
          const said = `${used} % ${prefix.status === 'container' ? 'taken' : 'in use'}`;
          return (
            <g key={addressOf(node)}>
              {under !== undefined && (
                <path class="tick" d={`M${left - STEP + 9} ${middle(under) + 9}V${middle(row)}H${left + 2}`} />
              )}
              <a class="branch" href={addressOf(node)}>
                <title>
                  {all
                    ? `All ${all} prefixes within ${prefix.prefix}`
                    : [prefix.prefix, spaceOf(node), said, aboutOf(node)].filter(Boolean).join(', ')}
                </title>
                <rect class="row" x={1} y={row * ROW + 1} width={width - 2} height={ROW - 2} rx={4} />
                <svg width={NAME - 8} height={nodes.length * ROW}>
                  <text class={depth === 0 ? 'roster' : undefined} x={left + 22} y={middle(row) + 4}>
                    {nameOf(node)}
                    <tspan class="faint" dx={8}>
                      {spaceOf(node)}
                    </tspan>
                  </text>
                </svg>
                {!all && (
                  <>
                    <rect {...bar} class="part" width={barWidth} />
                    <rect {...bar} class={`used ${levelOf(used)}`} width={(barWidth * used) / 100} />
                    <text x={width - (hasAbout ? ABOUT : 0) - 12} y={middle(row) + 4} text-anchor="end">
                      {used} %
                    </text>
                    {hasAbout && (
                      <text class="faint" x={width - ABOUT + 8} y={middle(row) + 4}>
                        {shortened(aboutOf(node), ABOUT - 8)}
                      </text>
                    )}
                  </>
                )}
              </a>
              {isOpen !== undefined && (
                <g
                  class="toggle"
                  role="button"
                  aria-expanded={isOpen}
                  aria-label={toggleOf(node)}
                  onClick={() => void toggle(prefix)}
                  onKeyDown={(event) => {
                    if (event.key !== 'Enter' && event.key !== ' ') return;
                    event.preventDefault();
                    void toggle(prefix);
                  }}
                >
                  <rect x={left - 2} y={row * ROW + 3} width={24} height={24} rx={4} />
                  <text x={left + 9} y={middle(row) + 4} text-anchor="middle">
                    {isOpen ? '▾' : '▸'}
                  </text>
                </g>
              )}
            </g>
          );
        })}
      </svg>
    </div>
  );
}
