import {
  Alert,
  App,
  Badge,
  Button,
  Checkbox,
  Collapse,
  DatePicker,
  Drawer,
  Dropdown,
  Empty,
  Form,
  Input,
  InputNumber,
  Menu,
  Modal,
  message,
  notification,
  Pagination,
  Popover,
  Progress,
  QRCode,
  Radio,
  Segmented,
  Select,
  Skeleton,
  Slider,
  Space,
  Switch,
  Table,
  Tabs,
  TimePicker,
  Tooltip,
  Tree,
} from 'antd';

const { _InternalPanelDoNotUseOrYouWillBeFired: Message } = message;
const { _InternalPanelDoNotUseOrYouWillBeFired: Notification } = notification;
const { _InternalPanelDoNotUseOrYouWillBeFired: Question } = Modal;

const anything = [{ key: '1', value: '1', label: 'x' }];

/**
 * One of each part that the console uses, or that comes along with one: antd makes the styles of a part whole
 * whenever it is drawn, also where it is closed. The build says which is missing here.
 */
export const AntdSamples = () => (
  <>
    <App />
    <Alert />
    <Badge.Ribbon>
      <Badge count={1} />
    </Badge.Ribbon>
    <Checkbox />
    <Collapse items={anything} />
    <DatePicker />
    <Drawer />
    <Dropdown menu={{ items: anything }}>
      <i />
    </Dropdown>
    <Empty />
    <Form>
      <Form.Item name="x">
        <Input />
      </Form.Item>
    </Form>
    <Input.OTP />
    <Input.Password />
    <Input.Search />
    <Input.TextArea />
    <InputNumber />
    <Menu items={anything} />
    <Message />
    <Modal />
    <Notification />
    <Pagination total={100} />
    <Popover>
      <i />
    </Popover>
    <Progress />
    <QRCode value="x" />
    <Question type="confirm" />
    <Radio.Group options={anything} />
    <Segmented options={anything} />
    <Select />
    <Skeleton />
    <Slider />
    <Space />
    <Space.Addon>x</Space.Addon>
    <Space.Compact>
      <Button />
      <Button />
    </Space.Compact>
    <Switch />
    <Table columns={anything} dataSource={anything} rowSelection={{}} />
    <Tabs items={anything} />
    <TimePicker />
    <Tooltip title="x">
      <i />
    </Tooltip>
    <Tree />
  </>
);
