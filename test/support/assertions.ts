// A test that checks nothing, as when what it would go through is empty, fails.
// oxlint-disable-next-line jest/no-standalone-expect -- it is for every test block
beforeEach(() => expect.hasAssertions());
