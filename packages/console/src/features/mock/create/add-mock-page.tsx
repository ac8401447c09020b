const AddMockPage = () => null;

export default AddMockPage;
