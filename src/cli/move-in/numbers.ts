/** Greater keys, and keys that are not numbers, are stored in a map. */
const MOST = 2 ** 24;

/**
 * Numbers of objects by kind and key. Keys are mostly numbers without large gaps, and there may be millions of them. So each kind has
 * an array with the key as index.
 */
export class Numbers {
  private readonly arrays = new Map<string, Float64Array>();
  private readonly others = new Map<string, number>();

  /** 0 if there is none. */
  get(model: string, pk: string): number {
    const place = placeOf(pk);
    return (place === undefined ? this.others.get(`${model} ${pk}`) : this.arrays.get(model)?.[place]) ?? 0;
  }

  set(model: string, pk: string, value: number): void {
    const place = placeOf(pk);
    if (place === undefined) {
      this.others.set(`${model} ${pk}`, value);
      return;
    }
    let array = this.arrays.get(model) ?? new Float64Array(64);
    if (place >= array.length) {
      const larger = new Float64Array(2 ** Math.ceil(Math.log2(place + 1)));
      larger.set(array);
      array = larger;
    }
    array[place] = value;
    this.arrays.set(model, array);
  }
}

function placeOf(pk: string): number | undefined {
  const place = /^(?:0|[1-9]\d{0,7})$/.test(pk) ? Number(pk) : MOST;
  return place < MOST ? place : undefined;
}
