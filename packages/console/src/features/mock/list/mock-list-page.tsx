const MockListPage = () => null;

export default MockListPage;
