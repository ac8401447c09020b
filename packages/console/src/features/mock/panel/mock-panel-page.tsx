const MockPanelPage = () => null;

export default MockPanelPage;
