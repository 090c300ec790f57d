/** What can stand in a {@link LinkedList}: the list is made of its members, so nothing is allocated for a place in it. */
export interface Linked<T extends Linked<T>> {
  /** The one it stands in, if any. */
  list: LinkedList<T> | undefined;
  previous: T | undefined;
  next: T | undefined;
}

/** First in, first out, with a way out of the middle. Every operation takes constant time. */
export class LinkedList<T extends Linked<T>> {
  size = 0;
  head: T | undefined = undefined;
  #tail: T | undefined = undefined;

  push(member: T): void {
    member.list = this;
    member.previous = this.#tail;
    member.next = undefined;
    if (this.#tail === undefined) this.head = member;
    else this.#tail.next = member;
    this.#tail = member;
    this.size++;
  }

  unshift(member: T): void {
    member.list = this;
    member.previous = undefined;
    member.next = this.head;
    if (this.head === undefined) this.#tail = member;
    else this.head.previous = member;
    this.head = member;
    this.size++;
  }

  shift(): T | undefined {
    const member = this.head;
    if (member !== undefined) this.remove(member);
    return member;
  }

  pop(): T | undefined {
    const member = this.#tail;
    if (member !== undefined) this.remove(member);
    return member;
  }

  /** Takes out a member of this list. */
  remove(member: T): void {
    const { previous, next } = member;
    if (previous === undefined) this.head = next;
    else previous.next = next;
    if (next === undefined) this.#tail = previous;
    else next.previous = previous;
    member.list = undefined;
    member.previous = undefined;
    member.next = undefined;
    this.size--;
  }
}
