import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { ListCards } from "./list-cards.tsx";
import type { ListColumn, ListViewProps } from "./list-column.ts";
import { isGreatestFirst, readSort, writeSort } from "./list-sort.ts";

type Item = { id: string };

const ITEMS: readonly Item[] = [{ id: "café" }, { id: "thé" }];
const COLUMNS: readonly ListColumn<Item>[] = [
  { id: "name", label: "Nom", isSortable: true, cell: ({ id }) => id },
  { id: "wins", label: "Gains", kind: "figure", isSortable: true, cell: () => 1 },
  { id: "state", label: "État", cell: () => "actif" },
];

/** The cards as they stand, of a list of two, with what a test says besides. */
function cards(more: Partial<ListViewProps<Item>> = {}, ticked: readonly string[] = []): string {
  const done = () => undefined;
  const selected = ITEMS.filter(({ id }) => ticked.includes(id));
  const selection = {
    ticked: Object.fromEntries(ticked.map((id) => [id, true] as const)),
    selected,
    ...{ onTicked: done, onAll: done, clear: done },
  };
  return renderToStaticMarkup(
    <ListCards
      name="drinks"
      label="Boissons"
      items={ITEMS}
      columns={COLUMNS}
      card={({ id }) => <p>{id}</p>}
      nameOf={({ id }) => id}
      selection={selection}
      {...more}
    />,
  );
}

const onSort = () => undefined;
const actions = (selected: readonly Item[]) => (
  <button type="button">Archiver {selected.length}</button>
);

describe("the order of cards", () => {
  it("is offered by the columns that sort, and by no other", () => {
    const options = Array.from(
      cards({ onSort }).matchAll(/<option value="(\w*)"/g),
      ([, id]) => id,
    );
    expect(options).toEqual(["", "name", "wins"]);
  });

  it("is offered by each figure of a column that shows two", () => {
    const both: ListColumn<Item> = {
      ...{ id: "both", label: "Max et validité", kind: "figure", cell: () => 1 },
      sorts: [
        { id: "max", label: "Max", kind: "figure" },
        { id: "validity", label: "Validité", kind: "figure" },
      ],
    };
    const options = Array.from(
      cards({ onSort, columns: [both] }).matchAll(/<option value="(\w*)"/g),
      ([, id]) => id,
    );
    expect(options).toEqual(["", "max", "validity"]);
  });

  it("is not offered where nothing sorts, or nobody listens", () => {
    expect(cards()).not.toContain("<select");
    const fixed = COLUMNS.filter(({ isSortable }) => !isSortable);
    expect(cards({ onSort, columns: fixed })).not.toContain("<select");
  });

  it("has a direction once a column is chosen", () => {
    expect(cards({ onSort })).not.toContain("inverser");
    expect(cards({ onSort, sort: "name" })).toContain("Ordre croissant");
    expect(cards({ onSort, sort: "-wins" })).toContain("Ordre décroissant");
    expect(cards({ onSort, sort: "-wins" })).toMatch(/<option value="wins" selected/);
  });

  it("stands in the address as the table's does", () => {
    for (const sort of ["name", "-wins"]) {
      const read = readSort(sort);
      expect(read && writeSort(read)).toBe(sort);
    }
    expect(readSort(undefined)).toBeUndefined();
    expect(COLUMNS.map(isGreatestFirst)).toEqual([false, true, false]);
  });
});

describe("boxes on cards", () => {
  it("are there once they are asked for", () => {
    expect(cards({ actions })).not.toContain("checkbox");
    expect(cards({ actions })).toContain("Sélectionner");
  });

  it("are not offered to whoever may do nothing with what is ticked", () => {
    expect(cards()).not.toContain("Sélectionner");
    expect(cards({}, ["thé"])).not.toMatch(/checkbox|Terminer|Archiver/);
  });

  it("stay as the table left them, each with the name of its item", () => {
    const html = cards({ actions }, ["thé"]);
    expect(html).toContain("1 élément sélectionné");
    expect(html).toContain("Archiver 1");
    expect(html.match(/<li[^>]* data-selected="true"/g)).toHaveLength(1);
    expect(html.match(/checked=""/g)).toHaveLength(1);
    expect(html).toMatch(/Sélectionner café.*Sélectionner thé/);
  });
});
