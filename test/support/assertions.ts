// A test without assertions fails, for example if the list that it iterates over is empty.
// oxlint-disable-next-line jest/no-standalone-expect -- it is for every test block
beforeEach(() => expect.hasAssertions());
